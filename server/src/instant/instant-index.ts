/**
 * Keeps the instant tier's knowledge equal to `index.db`: asks cheaply whether anything changed, and which files, then
 * reads those. It works in slices, so completions go on meanwhile, with what has been read so far.
 *
 * Memory: 20 bytes a token that is there or has been since the last rebuild (at most 1.7 times the live ones), 16 MB
 * once, and the words themselves: 25 to 34 bytes a token with these and room for a tenth more (`docs/bench/instant.md`). A
 * code base of 1 MB has some 300,000 tokens. While it is rebuilt, the old and the new state exist side by side.
 */
import { setImmediate } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import { Corpus } from "./corpus.ts";
import { OpenFileReader } from "./open-file.ts";
import { type PredictedLine, predictLine } from "./predict-line.ts";
import {
  changedSince,
  dataVersion,
  fileAt,
  filesAfter,
  type IndexedFile,
  lastChange,
  mostRelevantFirst,
  symbolsOf,
  textOf,
} from "./repository-files.ts";
import type { TokenShare } from "./token-budget.ts";

export interface InstantIndexOptions {
  /** Where the index is; it may not have been made yet, and may be replaced. */
  readonly index: { get(): IndexDb | undefined };
  /** Of the repository; the least relevant files beyond it are left out. Asked again with each look at the index. */
  readonly maxTokens?: TokenShare;
  /** How often to ask whether the index changed, in milliseconds. */
  readonly pollMs?: number;
  readonly log?: Logger;
}

export interface InstantIndex {
  /** Milliseconds at most; works from the open file alone while nothing else is read. */
  predict(
    at: { readonly path: string; readonly prefix: string; readonly suffix: string },
    limits: { readonly threshold: number; readonly maxTokens: number },
  ): PredictedLine;
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

/** 33 MB of code has about so many; they take 250 MB. */
export const MAX_TOKENS = 10_000_000;
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
  /** Oldest use first. */
  readonly open: Map<string, OpenFileReader>;
  /** Tokens that could be taken in. */
  most: number;
}

export function createInstantIndex({
  index,
  maxTokens = () => MAX_TOKENS,
  pollMs = POLL_MS,
  log,
}: InstantIndexOptions): InstantIndex {
  let knowledge = emptyKnowledge(0);
  let state: InstantStatus["state"] = "empty";
  let upToDate: UpToDate | undefined;
  let queue = Promise.resolve();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  function refresh(): Promise<void> {
    queue = queue.then(update).catch((error: unknown) => {
      // The index was closed or replaced under us, or is busy: the next poll starts over.
      upToDate = undefined;
      if (!closed) log?.warn(`instant: reading the index again: ${describeError(error)}`);
    });
    return queue;
  }

  async function update(): Promise<void> {
    const db = closed ? undefined : index.get();
    if (!db) return;
    const version = dataVersion(db);
    const before = upToDate?.db === db && hasItsShare(upToDate) ? upToDate : undefined;
    if (before?.version === version) return;
    if (state === "empty") state = "building";
    const pause = breather(() => closed);
    const seq = lastChange(db);
    const taken = (before && (await takeInChanges(before, pause))) ?? (await takeInAll(db, pause));
    state = "ready";
    upToDate = { db, version, seq, ...taken };
  }

  /** @returns `undefined` when everything has to be looked at again */
  async function takeInChanges(
    { db, seq, most, ...before }: UpToDate,
    pause: () => Promise<void>,
  ): Promise<Pick<UpToDate, "wanted" | "most"> | undefined> {
    const paths = changedSince(db, seq);
    if (!paths) return undefined;
    const { corpus, read } = knowledge;
    const files = new Map<string, IndexedFile>();
    let wanted = before.wanted;
    for (const path of paths) {
      const file = fileAt(db, path);
      if (file) files.set(path, file);
      else forget(knowledge, path);
      if (file && !read.has(path)) wanted += tokensIn([file]);
      await pause();
    }
    if (!hasItsShare({ wanted, most })) return undefined;
    // Somebody works on these: they come in though smaller ones have filled the share.
    await takeIn(knowledge, files.values(), (1 + SHARE_SLACK) * most, db, pause);
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
    if (!isTooLarge) {
      knowledge.most = Math.max(most, knowledge.most);
      for (const path of [...knowledge.read.keys()]) {
        if (!files.has(path)) forget(knowledge, path);
        await pause();
      }
      await takeIn(knowledge, files.values(), most, db, pause);
    }
    if (isTooLarge || isWorn(knowledge.corpus)) {
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
    { corpus, read }: Knowledge,
    files: Iterable<IndexedFile>,
    most: number,
    db: IndexDb,
    pause: () => Promise<void>,
  ): Promise<void> {
    for (const file of await mostRelevantFirst(files, pause)) {
      await pause();
      if (read.get(file.path) === file.blob) continue;
      if (corpus.liveTokens >= most && !read.has(file.path)) continue;
      const text = textOf(db, file);
      if (text === "") continue;
      for (const _ of corpus.addInSteps({ path: file.path, text, symbols: symbolsOf(db, file) }))
        await pause();
      read.set(file.path, file.blob);
    }
  }

  function poll(): void {
    timer = setTimeout(() => void refresh().then(() => closed || poll()), pollMs);
    timer.unref();
  }
  void refresh();
  poll();

  return {
    predict({ path, prefix, suffix }, limits) {
      const { corpus, open } = knowledge;
      const reader = open.get(path) ?? new OpenFileReader(corpus.vocabulary);
      open.delete(path);
      open.set(path, reader);
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
      return predictLine({ corpus, open: reader.read(prefix, suffix), path }, limits);
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

const emptyKnowledge = (most: number, capacity?: number): Knowledge => ({
  most,
  corpus: new Corpus(capacity === undefined ? {} : { capacity }),
  read: new Map(),
  open: new Map(),
});

function forget({ corpus, read }: Knowledge, path: string): void {
  corpus.remove(path);
  read.delete(path);
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
