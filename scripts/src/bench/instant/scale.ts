/** What the tier costs in a repository of so many tokens: memory, time to read it from its index, time of a request. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { blobId, type IndexDb, openIndexForReading, openIndexForWriting, textHash } from "@dhi/core/index-db";
import { createInstantIndex, type InstantIndex, roomFor, tokensIn } from "@dhi/server/instant/instant-index";
import { lex } from "@dhi/server/instant/lexer";
import { MAX_FILE_BYTES } from "@dhi/server/instant/repository-files";
import { MAX_TOKENS } from "@dhi/server/instant/token-budget";
import { TOKEN_BYTES } from "@dhi/server/instant/token-store";
import { percentile } from "../figures.ts";
import type { Figure, Measured } from "../report.ts";
import type { Commit } from "./commits.ts";

export interface ScaleOptions {
  readonly tokens: number;
  /** Requests that are timed. */
  readonly requests: number;
}

type SourceFile = readonly [path: string, text: string];

/** Files of the packages under other names, with their names' words changed, until there are so many tokens. */
export async function measureScale(
  commits: readonly Commit[],
  { tokens, requests }: ScaleOptions,
): Promise<Measured> {
  const files = commits
    .flatMap(({ after }) => [...after])
    .filter(([, text]) => text.length < MAX_FILE_BYTES)
    // Packages have files of the same name.
    .map(([path, text], i): SourceFile => [`${i}/${path}`, text]);
  const dir = mkdtempSync(join(tmpdir(), "dhi-instant-"));
  try {
    const room = roomFor(Math.min(MAX_TOKENS, tokensIn([{ bytes: writeIndex(dir, files, tokens) }])));
    return await measure(dir, files, { requests, room });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(
  dir: string,
  files: readonly SourceFile[],
  { requests, room }: { readonly requests: number; readonly room: number },
): Promise<Measured> {
  const collect = garbageCollector();
  await collect();
  const before = memory();
  const db = openIndexForReading(dir);
  const started = process.cpuUsage();
  const index = createInstantIndex({ index: { get: () => db }, pollMs: 3_600_000 });
  try {
    const turns = watchTurns();
    await index.refresh();
    const all = turns.stop();
    const turnsMs = all.slice(Math.min(WARM_UP, all.length >> 1));
    const readMs = cpuMs(started);
    const { tokens: held, storedTokens } = index.status();
    await collect();
    // The system gives no page of the room that is left before it is used.
    const bytes = memory() - before - (room - storedTokens) * TOKEN_BYTES;
    const times = requestTimes(index, files, requests);
    const limit = { limit: held > 5e6 ? 15 : 10 };
    return {
      figures: [
        { what: "tokens held", value: held, unit: "" },
        { what: "memory", value: bytes / 1024 ** 2, unit: "MiB" },
        {
          what: "memory per token",
          value: bytes / held,
          unit: "bytes",
          ...(held > 500_000 && { limit: 40 }),
        },
        {
          what: "tokens read a second of processor time, in millions",
          value: held / readMs / 1_000,
          unit: "",
        },
        {
          what: "ready after, processor time",
          value: readMs / 1_000,
          unit: "s",
          ...(held > 5e6 && { limit: 20 }),
        },
        {
          what: "a turn of its thread while reading, p99",
          value: percentile(turnsMs, 99),
          unit: "ms",
          limit: 10,
        },
        {
          what: "the longest turn",
          value: turnsMs.reduce((a, b) => Math.max(a, b), 0),
          unit: "ms",
          limit: 10,
        },
        { what: "a request, p50", value: percentile(times, 50), unit: "ms", limit: 2 },
        { what: "a request, p95", value: percentile(times, 95), unit: "ms", ...limit },
        {
          what: "the longest request",
          value: times.reduce((a, b) => Math.max(a, b), 0),
          unit: "ms",
          ...limit,
        },
      ] satisfies Figure[],
      notes: [
        `Read from an \`index.db\` as the server does. ${requests} requests at line starts and inside lines of files that are written on, one key after another. The machine was shared, so times are of the processor, not of the clock; those of the garbage collector's threads count in. The tier has a thread of its own: a turn of it holds up requests of it, and nothing else of the server. The index has texts and no symbols: what it costs to ask for those comes on top, once for each receiver or call of a line (by hand, 197 of them in 250 files of Hono, the file changed before each line: median 0.6 ms, p95 2.9 ms, longest 9.9 ms by the clock).`,
      ],
    };
  } finally {
    index.close();
    db?.close();
  }
}

/** The texts, which is all that takes memory; no symbols. @returns the size of all files */
function writeIndex(dir: string, files: readonly SourceFile[], tokens: number): number {
  const db = openIndexForWriting(dir);
  db.exec("BEGIN");
  let [written, bytes] = [0, 0];
  for (let copy = 0; written < tokens; copy++)
    for (const [path, text] of files) {
      if (written >= tokens) break;
      const own = changed(text, copy);
      writeFile(db, `${copy}/${path}`, own);
      lex(own, () => written++);
      bytes += own.length;
    }
  db.exec("COMMIT");
  db.close();
  return bytes;
}

function writeFile(db: IndexDb, path: string, text: string): void {
  const insert = (sql: string, ...values: unknown[]) =>
    Number(db.prepare(sql).run(...values).lastInsertRowid);
  const blob = insert(
    "INSERT INTO blobs (blob, language, chunker, bytes, chunks, symbols, used_at) VALUES (?, 'typescript', '', ?, 1, 0, 0)",
    ...[blobId(Buffer.from(`${path}\n${text}`)), text.length],
  );
  const textId = insert(
    "INSERT INTO texts (text_hash, text) VALUES (?, ?)",
    textHash(`${path}\n${text}`),
    text,
  );
  insert("INSERT INTO chunks VALUES (?, 0, 'lines', NULL, NULL, NULL, 1, 1, ?)", blob, textId);
  insert("INSERT INTO live VALUES (?, ?, 'typescript', ?)", path, blob, text.length);
}

/** Turns until the code is compiled, which happens once in a server's life. */
const WARM_UP = 20;

/** How long nobody else has his turn, in processor time. */
function watchTurns(): { stop(): number[] } {
  const turnsMs: number[] = [];
  let since = process.cpuUsage();
  let next = setImmediate(turn);
  function turn(): void {
    turnsMs.push(cpuMs(since));
    since = process.cpuUsage();
    next = setImmediate(turn);
  }
  return {
    stop() {
      clearImmediate(next);
      return turnsMs;
    },
  };
}

/** What a run before this one held is let go of only in a later turn. */
function garbageCollector(): () => Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return async () => {
    for (let turn = 0; turn < 3; turn++) {
      await setTimeout(10);
      if (typeof collect === "function") collect();
    }
  };
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** Code of another repository has other names: each seventh word gets another end. */
function changed(text: string, copy: number): string {
  if (copy === 0) return text;
  let words = 0;
  return text.replaceAll(/\b[A-Za-z_]\w{4,}\b/g, (word) => (words++ % 7 === 0 ? `${word}${copy}` : word));
}

const KEYS_A_LINE = 12;

function requestTimes(index: InstantIndex, files: readonly SourceFile[], requests: number): number[] {
  const times: number[] = [];
  for (let i = 0; times.length < requests; i++) {
    const [path, text] = files[(i * 37) % files.length] ?? ["", ""];
    const lines = text.split("\n");
    const line = Math.floor(lines.length / 2);
    const above = lines.slice(0, line).join("\n");
    const suffix = `\n${lines.slice(line + 1).join("\n")}`;
    const typed = lines[line] ?? "";
    const ask = (prefix: string) =>
      index.predict({ path: `0/${path}`, prefix, suffix }, { threshold: 0.7, maxTokens: 48 });
    // Opening it is no keystroke.
    ask(`${above}\n`);
    for (let key = 0; key <= Math.min(typed.length, KEYS_A_LINE) && times.length < requests; key++) {
      const start = process.cpuUsage();
      ask(`${above}\n${typed.slice(0, key)}`);
      times.push(cpuMs(start));
    }
  }
  return times;
}
