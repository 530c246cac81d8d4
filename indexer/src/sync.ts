/** Brings the index to what the work tree holds: at start, after git moved the tree, and for each batch of saved files. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { languageOf } from "@dhi/core/languages";
import { type IndexFileDeps, indexFile } from "./index-file.ts";
import type { FileRow, KnownFile } from "./index-store.ts";
import type { ReadOrder } from "./read-order.ts";
import type { TreeFile, WorkTree } from "./work-tree.ts";

export interface TreeDiff {
  readonly index: readonly TreeFile[];
  readonly remove: readonly string[];
}

/** @param known rows of the same scope; a path known and not in the tree is to be removed */
export function diffTree(tree: readonly TreeFile[], known: readonly KnownFile[]): TreeDiff {
  const knownByPath = new Map(known.map((k) => [k.path, k]));
  const index = tree.filter((file) => !isUnchanged(file, knownByPath.get(file.path)));
  const inTree = new Set(tree.map((f) => f.path));
  return { index, remove: known.filter((k) => !inTree.has(k.path)).map((k) => k.path) };
}

function isUnchanged(file: TreeFile, known: KnownFile | undefined): boolean {
  if (!known) return false;
  if (file.skip) return file.skip === known.skip;
  if (file.changedMs === null) return false;
  if (file.changedMs !== known.changedMs || file.bytes !== known.bytes) return false;
  if (known.language !== languageOf(file.path).id) return false;
  // A limit or a rule that kept it out by its stat no longer does.
  return known.skip ? READ_AND_SKIPPED.has(known.skip) : known.analysed;
}

const READ_AND_SKIPPED: ReadonlySet<string> = new Set(["binary", "generated", "minified"]);

export interface SyncProgress {
  /** Files that differ; files that do not are done with it. */
  readonly onStart: (filesTotal: number, unchanged: number) => void;
  readonly onFile: (row: FileRow) => void;
}

export interface SyncDeps extends IndexFileDeps {
  /** Shared by all syncs of this index. */
  readonly order: ReadOrder;
  /** The tree is the one that is indexed as a whole: a file that counted in it counts, and starting git costs most of a save. */
  readonly isKnownTree?: boolean;
  /** Git moved the tree since it was taken in as a whole: what differs is its doing. */
  readonly isMovedByGit?: boolean;
  /** What `tree.stamp()` must still be when the files have been read; `undefined`, and the first sync, take in whatever it is. */
  readonly treeStamp?: string | undefined;
  /** Awaited once it is known what differs, before it is read. */
  readonly beforeReading?: () => Promise<void>;
  /** What was found in a file that is as it was then, so that it need not be read again. */
  readonly found?: (file: TreeFile) => FileRow | undefined;
}

/** Git moved files while they were read: what was read is of two trees. */
export class TreeMovedError extends Error {
  override readonly name = "TreeMovedError";
  constructor() {
    super("git moved the work tree while it was read");
  }
}

/** The first sync shows its files as it goes: there is no older tree that they could be mixed with. */
const FIRST_SYNC_BATCH = 200;

/**
 * @param scope paths of files and folders; `""` is everything
 * @returns how many paths hold something else than before
 * @throws the signal's reason; what was indexed until then stays, and the next sync does the rest
 * @throws {TreeMovedError} before a path has changed, see `treeStamp`
 */
export async function sync(
  scope: readonly string[],
  tree: WorkTree,
  deps: SyncDeps,
  { onStart, onFile }: SyncProgress,
  signal: AbortSignal,
): Promise<number> {
  const { store, order, treeStamp, isKnownTree = false } = deps;
  const listed = order.next();
  const isFirst = !store.isComplete();
  const known = store.files(scope);
  const before = new Map(known.map((k) => [k.path, k]));
  const countedBefore = isKnownTree && scope.every((path) => before.get(path)?.blob);
  const files = (countedBefore && tree.again(scope)) || (await tree.files(scope));
  const { index, remove } = diffTree(files, known);
  onStart(files.length, files.length - index.length);
  await deps.beforeReading?.();

  let changed = remove.length;
  let rows: ReadRow[] = [];
  await inParallel(READERS_PER_THREAD * deps.threads.size, index, async (file) => {
    signal.throwIfAborted();
    const known = deps.found?.(file);
    // As the listing saw it: what was saved after that is newer.
    const look = known ? listed : order.next();
    const row = known ?? (await indexFile(file, deps));
    rows.push({ look, row });
    if (isOther(row, before.get(file.path))) changed++;
    onFile(row);
    if (isFirst && rows.length >= FIRST_SYNC_BATCH) {
      setMembership(rows, [], deps);
      rows = [];
    }
    await nextTurn();
  });
  signal.throwIfAborted();
  const isOfThatTree = treeStamp === undefined || (!tree.isMoving() && tree.stamp() === treeStamp);
  if (!isFirst && !isOfThatTree && rows.length + remove.length) throw new TreeMovedError();
  setMembership(
    rows,
    remove.filter((path) => order.claim(path, listed)),
    deps,
  );
  if (isFirst && scope.includes("")) store.markComplete();
  return changed;
}

interface ReadRow {
  readonly look: number;
  readonly row: FileRow;
}

const isOther = (row: FileRow, known: KnownFile | undefined): boolean =>
  row.blob !== known?.blob ||
  row.skip !== known.skip ||
  row.language !== known.language ||
  !(known.skip || known.analysed);

/** A thread must not wait for the rows to be written, nor for what it is asked next. */
const READERS_PER_THREAD = 4;

/** Stops at the first failure, and settles when nothing is running any more. */
async function inParallel<T>(
  n: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  async function worker(): Promise<void> {
    for (let next = left.next(); !next.done && !failure; next = left.next()) {
      await work(next.value).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  }
  await Promise.all(Array.from({ length: n }, worker));
  if (failure) throw failure.error;
}

function setMembership(
  read: readonly ReadRow[],
  remove: readonly string[],
  { store, order, isMovedByGit }: SyncDeps,
): void {
  const rows = read.filter(({ row, look }) => order.claim(row.path, look)).map(({ row }) => row);
  const gone = rows.filter((row) => row.skip === "missing").map((row) => row.path);
  store.setMembership(
    rows.filter((row) => row.skip !== "missing"),
    [...remove, ...gone],
    isMovedByGit,
  );
}
