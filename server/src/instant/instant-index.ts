/**
 * Keeps the instant tier's knowledge equal to `index.db`: asks cheaply whether anything changed, and which files, then
 * reads those. It works in slices, so completions go on meanwhile, with what has been read so far.
 *
 * Where not all fits, what is worked on comes before what is not (`file-uses.ts`), and code before other text.
 *
 * Memory: 24 bytes a token that is there or has been since the last rebuild (at most 1.7 times the live ones), 22 MB
 * once, and the words themselves: 25 to 34 bytes a token with these and room for a tenth more (`docs/bench/instant.md`). A
 * code base of 1 MB has some 300,000 tokens. While it is rebuilt, the old and the new state exist side by side.
 */
import { setImmediate } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import { describeError } from "@dhi/core/upstream-error";
import { changedSince, dataVersion, lastChange } from "../index-changes.ts";
import { Corpus } from "./corpus.ts";
import { createFileUses } from "./file-uses.ts";
import { OpenFileReader } from "./open-file.ts";
import { type PredictedLine, predictLine } from "./predict-line.ts";
import {
  fileAt,
  filesAfter,
  type IndexedFile,
  mostRelevantFirst,
  symbolsOf,
  textOf,
} from "./repository-files.ts";
import { createSymbols, type Symbols } from "./symbols.ts";
import { MAX_TOKENS, type TokenShare } from "./token-budget.ts";

export interface InstantIndexOptions {
  /** Where the index is; it may not have been made yet, and may be replaced. */
  readonly index: { get(): IndexDb | undefined };
  /** Of the repository; the coldest files beyond it are left out. Asked again with each look at the index. */
  readonly maxTokens?: TokenShare;
  /** How often to ask whether the index changed, in milliseconds. */
  readonly pollMs?: number;
  readonly warn?: (message: string) => void;
}

export interface InstantIndex {
  /** Milliseconds at most; works from the open file alone while nothing else is read, and says nothing where it fails. */
  predict(
    at: { readonly path: string; readonly prefix: string; readonly suffix: string },
    limits: { readonly threshold: number; readonly maxTokens: number },
  ): PredictedLine | Promise<PredictedLine>;
  /** Resolves when everything in the index now is read. Never rejects: what cannot be read now is read by a later poll. */
  refresh(): Promise<void>;
  status(): InstantStatus;
  close(): void;
}

export interface InstantStatus {
  /** `empty`: there is no index yet; `building`: it is read for the first time. */
  readonly state: "empty" | "building" | "ready";
  readonly files: number;
  readonly tokens: number;
  /** With those of files that have changed or gone since the last rebuild. */
  readonly storedTokens: number;
}

/** By how much of itself a share may change before that counts: reading anew costs more than a tenth of room is worth. */
const SHARE_SLACK = 0.1;
const POLL_MS = 1_000;
/** Longest stretch of work between two chances for others. */
const SLICE_MS = 5;
/** Dead text fills the candidate lists before it fills the memory. */
const MAX_DEAD_SHARE = 0.4;
/** Low on purpose (3.2 to 3.9 measured): what is not used is not paid for, the system gives memory on first use. */
const BYTES_PER_TOKEN = 3;
const SPARE_TOKENS = 50_000;
/** More files that change between two looks are a branch, and nobody's work. */
const MOST_EDITED = 20;
/** Files being edited whose tokens are kept from one keystroke to the next. */
const MAX_OPEN = 8;

/** What was read last, and how much of it was allowed. */
interface UpToDate {
  readonly db: IndexDb;
  readonly version: unknown;
  /** See {@link lastChange}; from before the reading, so that what changed meanwhile is read again. */
  readonly seq: number;
  readonly wanted: number;
  readonly most: number;
}

/** What the tier knows, and from which contents it does. */
interface Knowledge {
  readonly corpus: Corpus;
  /** Path → blob as read. */
  readonly read: Map<string, number>;
  /** Of those, what was read as the repository's and not because it was used; the most relevant first. */
  readonly cold: string[];
  /** Oldest use first. */
  readonly open: Map<string, OpenFileReader>;
  /** Tokens that could be taken in. */
  most: number;
}

export function createInstantIndex({
  index,
  maxTokens = () => MAX_TOKENS,
  pollMs = POLL_MS,
  warn,
}: InstantIndexOptions): InstantIndex {
  let knowledge = emptyKnowledge(0);
  const uses = createFileUses();
  const symbolsAt = createSymbols();
  let state: InstantStatus["state"] = "empty";
  let upToDate: UpToDate | undefined;
  let queue = Promise.resolve();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Told once: it may come again with each key. */
  let lastProblem: string | undefined;

  function refresh(): Promise<void> {
    queue = queue.then(update).catch((error: unknown) => {
      // The index was closed or replaced under us, or is busy: the next poll starts over.
      upToDate = undefined;
      if (!closed) warn?.(`instant: reading the index again: ${describeError(error)}`);
    });
    return queue;
  }

  async function update(): Promise<void> {
    const db = closed ? undefined : index.get();
    if (!db) return;
    const version = dataVersion(db);
    const before = upToDate?.db === db && hasItsShare(upToDate) ? upToDate : undefined;
    const used = uses.takeNew().filter((path) => !knowledge.read.has(path));
    if (before?.version === version && used.length === 0) return;
    if (state === "empty") state = "building";
    const pause = breather(() => closed);
    const seq = lastChange(db);
    const taken = (before && (await takeInChanges(before, used, pause))) ?? (await takeInAll(db, pause));
    state = "ready";
    upToDate = { db, version, seq, ...taken };
  }

  /** @returns `undefined` when everything has to be looked at again */
  async function takeInChanges(
    { db, seq, most, ...before }: UpToDate,
    used: readonly string[],
    pause: () => Promise<void>,
  ): Promise<Pick<UpToDate, "wanted" | "most"> | undefined> {
    const changed = changedSince(db, seq);
    if (!changed) return undefined;
    const { corpus, read } = knowledge;
    const files = new Map<string, IndexedFile>();
    let wanted = before.wanted;
    for (const path of new Set([...changed, ...used])) {
      const file = fileAt(db, path);
      if (file) files.set(path, file);
      else forget(knowledge, path);
      if (file && !read.has(path) && !used.includes(path)) wanted += tokensIn([file]);
      await pause();
    }
    if (!hasItsShare({ wanted, most }) || !hasRoomFor(knowledge, files.values())) return undefined;
    if (changed.length <= MOST_EDITED) for (const path of changed) uses.note(path);
    await takeIn(knowledge, files.values(), most, db, pause);
    return isWorn(corpus) ? undefined : { wanted, most };
  }

  async function takeInAll(
    db: IndexDb,
    pause: () => Promise<void>,
  ): Promise<Pick<UpToDate, "wanted" | "most">> {
    const files = await listFiles(db, pause);
    const wanted = tokensIn(files.values());
    const most = maxTokens(wanted);
    const fresh = () => emptyKnowledge(most, roomFor(Math.min(most, wanted)));
    if (knowledge.read.size === 0) knowledge = fresh();
    const isTooLarge = most < (1 - SHARE_SLACK) * knowledge.most && knowledge.corpus.liveTokens > most;
    const isTooSmall = most >= wanted && !hasRoomFor(knowledge, files.values());
    if (!isTooLarge && !isTooSmall) {
      knowledge.most = Math.max(most, knowledge.most);
      for (const path of [...knowledge.read.keys()]) {
        if (!files.has(path)) forget(knowledge, path);
        await pause();
      }
      await takeIn(knowledge, files.values(), most, db, pause);
    }
    if (isTooLarge || isTooSmall || isWorn(knowledge.corpus)) {
      const smaller = fresh();
      await takeIn(smaller, files.values(), most, db, pause);
      knowledge = smaller;
    }
    return { wanted, most };
  }

  function hasItsShare({ wanted, most }: Pick<UpToDate, "wanted" | "most">): boolean {
    const now = maxTokens(wanted);
    return (now >= wanted && most >= wanted) || Math.abs(now - most) <= SHARE_SLACK * most;
  }

  async function takeIn(
    into: Knowledge,
    files: Iterable<IndexedFile>,
    most: number,
    db: IndexDb,
    pause: () => Promise<void>,
  ): Promise<void> {
    const { corpus, read, cold } = into;
    for (const file of await mostRelevantFirst(files, uses, pause)) {
      await pause();
      const { path, blob } = file;
      if (read.get(path) === blob) continue;
      const hasRoom = () => corpus.liveTokens + tokensIn([file]) <= most;
      if (!read.has(path) && !(uses.has(path) ? makeRoom(into, file, most) : hasRoom())) continue;
      const text = textOf(db, file);
      if (text === "") continue;
      for (const _ of corpus.addInSteps({ path, text, symbols: symbolsOf(db, file) })) await pause();
      if (!read.has(path) && !uses.has(path)) cold.push(path);
      read.set(path, blob);
    }
  }

  /** Colder files go for one that is used. @returns whether it has room now */
  function makeRoom(within: Knowledge, file: IndexedFile, most: number): boolean {
    const needed = tokensIn([file]);
    while (within.corpus.liveTokens + needed > most) {
      const path = needed <= most ? colderThan(file.path, within) : undefined;
      if (path === undefined) return false;
      forget(within, path);
    }
    return true;
  }

  /** First those that nobody has used, the least relevant before others. */
  function colderThan(path: string, { read, cold }: Knowledge): string | undefined {
    for (let last = cold.pop(); last !== undefined; last = cold.pop())
      if (read.has(last) && !uses.has(last)) return last;
    return uses.forgetOldest(path, (used) => read.has(used));
  }

  function poll(): void {
    timer = setTimeout(() => void refresh().then(() => closed || poll()), pollMs);
    timer.unref();
  }
  void refresh();
  poll();

  function predict(...[at, limits]: Parameters<InstantIndex["predict"]>): PredictedLine {
    const { path, prefix, suffix } = at;
    const { corpus, open } = knowledge;
    uses.note(path);
    const reader = open.get(path) ?? new OpenFileReader(corpus.vocabulary);
    open.delete(path);
    open.set(path, reader);
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
    const symbols = symbolsFor({ path, prefix });
    const read = reader.read(prefix, suffix);
    return predictLine({ corpus, open: read, path, ...(symbols && { symbols }) }, limits);
  }

  /** @returns `undefined` without an index, and where it cannot be opened: of that the next poll tells */
  function symbolsFor(at: Parameters<typeof symbolsAt>[1]): Symbols | undefined {
    try {
      const db = index.get();
      return db && symbolsAt(db, at);
    } catch {
      return undefined;
    }
  }

  return {
    predict(...question) {
      try {
        return predict(...question);
      } catch (error) {
        // It costs this answer, and neither the thread nor what it has read.
        const problem = `instant: no answer: ${describeError(error)}`;
        if (problem !== lastProblem) warn?.(problem);
        lastProblem = problem;
        return NOTHING;
      }
    },
    refresh,
    status() {
      const { files, liveTokens, deadTokens } = knowledge.corpus;
      return { state, files, tokens: liveTokens, storedTokens: liveTokens + deadTokens };
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const NOTHING: PredictedLine = { text: "", confidence: 0, tokens: 0, cut: false };

const emptyKnowledge = (most: number, capacity?: number): Knowledge => ({
  most,
  corpus: new Corpus(capacity === undefined ? {} : { capacity }),
  read: new Map(),
  cold: [],
  open: new Map(),
});

function forget({ corpus, read }: Knowledge, path: string): void {
  corpus.remove(path);
  read.delete(path);
}

/** Else all arrays are copied at once, at a size at which that takes long. */
function hasRoomFor({ corpus, read }: Knowledge, files: Iterable<IndexedFile>): boolean {
  const isNew = ({ path, blob }: IndexedFile) => read.get(path) !== blob;
  return corpus.tokens.canGrowBy(tokensIn([...files].filter(isNew)));
}

const isWorn = ({ deadTokens, liveTokens, isOutgrown }: Corpus): boolean =>
  isOutgrown || deadTokens > MAX_DEAD_SHARE * (deadTokens + liveTokens);

/** An estimate, mostly too high. */
export function tokensIn(files: Iterable<Pick<IndexedFile, "bytes">>): number {
  let bytes = 0;
  for (const file of files) bytes += file.bytes;
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** With as much again for changes as a rebuild lets grow. */
export const roomFor = (tokens: number): number => Math.ceil(tokens / (1 - MAX_DEAD_SHARE)) + SPARE_TOKENS;

async function listFiles(db: IndexDb, pause: () => Promise<void>): Promise<Map<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  for (let page = filesAfter(db, ""); page.length > 0; page = filesAfter(db, page.at(-1)?.path ?? "")) {
    for (const file of page) files.set(file.path, file);
    await pause();
  }
  return files;
}

/** @returns a function that lets others run once a slice is used up, and throws when the work is no longer wanted */
function breather(isOver: () => boolean): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    if (isOver()) throw new Error("closed");
    since = performance.now();
  };
}
