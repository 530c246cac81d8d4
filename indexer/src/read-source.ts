/** Reads one file of the work tree, whatever may lie or happen at its path. */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { SkipReason } from "@dhi/core/chunk";
import { skipByStat } from "./skip-reason.ts";

export interface SourceBytes {
  readonly bytes: Uint8Array;
  readonly changedMs: number | null;
}

// A path may have become a FIFO or a symbolic link since it was looked at: opening must neither block nor follow.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @param path relative, for the rules that go by name; `file` is where it lies */
export async function readSource(
  path: string,
  file: string,
  maxFileBytes: number,
): Promise<SourceBytes | SkipReason> {
  try {
    const handle = await open(file, OPEN_FLAGS);
    try {
      const stat = await handle.stat();
      const skip = skipByStat(path, stat, maxFileBytes);
      if (skip) return skip;
      const bytes = await readWhole(handle, stat.size);
      return bytes.byteLength > maxFileBytes ? "too-large" : { bytes, changedMs: changedMs(stat) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    if (code === "ELOOP" || code === "EISDIR" || code === "ENXIO" || code === "EMLINK") return "not-a-file";
    return "unreadable";
  }
}

/** As `readFile` does, in one step instead of three: for most files reading costs more than parsing does. */
async function readWhole(handle: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  if (bytesRead === size) return buffer.subarray(0, size);
  // It was written to meanwhile.
  return handle.readFile();
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
