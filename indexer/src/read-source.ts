/** Reads one file of the work tree, whatever may lie or happen at its path. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import type { SkipReason } from "@dhi/core/chunk";
import { skipByStat } from "./skip-reason.ts";

export interface SourceBytes {
  readonly bytes: Uint8Array;
  readonly changedMs: number | null;
}

// A path may have become a FIFO or a symbolic link since it was looked at: opening must neither block nor follow.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Waits for the disk: a step that this process does aside costs ten times what it takes. Threads read what is many.
 *
 * @param path relative, for the rules that go by name; `file` is where it lies
 */
export function readSource(path: string, file: string, maxFileBytes: number): SourceBytes | SkipReason {
  let handle: number | undefined;
  try {
    handle = openSync(file, OPEN_FLAGS);
    const stat = fstatSync(handle);
    const skip = skipByStat(path, stat, maxFileBytes);
    if (skip) return skip;
    const bytes = readWhole(handle, stat.size);
    return bytes.byteLength > maxFileBytes ? "too-large" : { bytes, changedMs: changedMs(stat) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    if (code === "ELOOP" || code === "EISDIR" || code === "ENXIO" || code === "EMLINK") return "not-a-file";
    return "unreadable";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** In one step where that is all. */
function readWhole(handle: number, size: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(size + 1);
  const bytesRead = readSync(handle, buffer, 0, buffer.length, 0);
  // Otherwise it was written to meanwhile.
  return bytesRead === size ? buffer.subarray(0, size) : readFileSync(handle);
}

/** Clocks of file systems tick this coarsely or finer; a change within one tick leaves the time as it was. */
const CLOCK_TICK_MS = 20;

/**
 * When the file last changed, in Unix milliseconds: the later of its content's and its entry's time, because tools can
 * set the former back (`tar`, `rsync`, `touch`) and not the latter.
 *
 * @returns `null` when that is so recent that another change could still carry the same time
 */
export function changedMs(stat: Stats, now = Date.now()): number | null {
  const at = Math.max(stat.mtimeMs, stat.ctimeMs);
  return now - at < CLOCK_TICK_MS ? null : at;
}
