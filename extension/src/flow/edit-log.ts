/** Lines of JSON in a file per day, on this machine: `edits-2026-01-31.jsonl`. */
import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export interface EditLog {
  /** Without a line end. What cannot be written is left out: editing must not be punished for a full disk. */
  write(line: string): void;
  /** Settles when all so far is in the file. */
  flush(): Promise<void>;
  dispose(): void;
}

export interface EditLogLimits {
  readonly bytesPerDay: number;
  /** Older files are deleted. */
  readonly days: number;
  readonly delayMs: number;
}

const LIMITS: EditLogLimits = { bytesPerDay: 50_000_000, days: 30, delayMs: 1_000 };
const DAY_MS = 86_400_000;

/** @param folder made when there is something to write */
export function createEditLog(
  folder: string,
  limits: Partial<EditLogLimits> = {},
  now: () => number = Date.now,
): EditLog {
  const { bytesPerDay, days, delayMs } = { ...LIMITS, ...limits };
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let cleanedOn = "";

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length) writing = writing.then(() => append(lines)).catch(() => {});
    return writing;
  }

  async function append(lines: readonly string[]): Promise<void> {
    const today = new Date(now()).toISOString().slice(0, "2026-01-31".length);
    await mkdir(folder, { recursive: true });
    if (cleanedOn !== today) await deleteOld(folder, now() - days * DAY_MS);
    cleanedOn = today;
    const path = join(folder, `edits-${today}.jsonl`);
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size < bytesPerDay)
      await appendFile(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  }

  return {
    write(line) {
      waiting.push(line);
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
    dispose: () => void flush(),
  };
}

async function deleteOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const day = /^edits-(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.[1];
    if (day && Date.parse(day) < before) await rm(join(folder, name), { force: true });
  }
}
