/** The stored events as they came, a line of JSON each, in a file for each day: for whoever reads them with other tools. */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { StoredEvent } from "@dhi/core/events-protocol";
import { linesOf } from "./export-lines.ts";

export interface EventLog {
  /** @param events of one moment, the oldest first @throws when the folder cannot be written */
  append(events: readonly StoredEvent[]): void;
}

export interface EventLogOptions {
  /** Made when it is not there. */
  readonly dir: string;
  /** Older files are deleted. */
  readonly days: number;
  /** Of all files; beyond it the oldest are deleted, today's last. */
  readonly maxBytes: number;
}

const DAY_MS = 86_400_000;
const FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
/** Looking at the files takes longer than writing a line. */
const PRUNE_EVERY = 500;

export function createEventLog({ dir, days, maxBytes }: EventLogOptions): EventLog {
  let sincePrune = PRUNE_EVERY;
  /** The file whose end is known to be a line's. */
  let whole = "";

  /** A process that was killed, or a disk that was full, leaves half a line: the next one does not become a part of it. */
  function endLine(file: string): void {
    if (file === whole) return;
    if (!isWhole(file)) appendFileSync(file, "\n");
    whole = file;
  }

  function prune(today: string): void {
    sincePrune = 0;
    const oldest = new Date(Date.parse(today) - days * DAY_MS).toISOString();
    let bytes = 0;
    const newestFirst = readdirSync(dir)
      .filter((name) => FILE.test(name))
      .sort()
      .reverse();
    for (const name of newestFirst) {
      const file = join(dir, name);
      bytes += statSync(file).size;
      if (bytes > maxBytes || name < oldest.slice(0, 10)) rmSync(file);
    }
  }

  return {
    append(events) {
      const [first] = events;
      if (!first) return;
      mkdirSync(dir, { recursive: true });
      const today = first.at.slice(0, 10);
      const file = join(dir, `${today}.jsonl`);
      endLine(file);
      try {
        appendFileSync(file, [...linesOf(events, "jsonl")].join(""));
      } catch (error) {
        whole = "";
        throw error;
      }
      sincePrune += events.length;
      if (sincePrune >= PRUNE_EVERY) prune(today);
    },
  };
}

function isWhole(file: string): boolean {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size === 0) return true;
  const opened = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(opened, last, { position: size - 1 });
    return last.toString("latin1") === "\n";
  } finally {
    closeSync(opened);
  }
}
