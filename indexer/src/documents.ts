/**
 * Unsaved buffers of editors. Each stands for the file at its path, in everything that reads the index, until it is closed,
 * equals the disk again, or is not heard of any more. They do not outlive this process: the editor sends them anew.
 */
import type { SkipReason } from "@dhi/core/chunk";
import type { DocumentResponse } from "@dhi/core/protocol";
import type { Content, FileRow, IndexStore } from "./index-store.ts";

export interface OpenDocument {
  readonly path: string;
  /** The editor's window; versions compare within one. */
  readonly sessionId: string | undefined;
  readonly version: number;
  readonly content: string;
  readonly languageId: string;
}

export interface Documents {
  /** Settles when this version or a newer one counts, or it is known why not. */
  put(document: OpenDocument): Promise<DocumentResponse>;
  /** The file on the disk counts again. A path that is not open stays as it is, and so does one of another session. */
  close(path: string, sessionId: string | undefined): DocumentResponse;
  isOpen(path: string): boolean;
  /** Ends those whose path is ignored by now. */
  recheck(): Promise<void>;
  /** Stops looking for those that are not heard of any more. */
  stop(): void;
}

export interface DocumentsDeps {
  readonly store: Pick<
    IndexStore,
    "files" | "chunkCount" | "putDocument" | "closeDocument" | "closeAllDocuments" | "forgetUnused"
  >;
  /** @returns which of the paths may not be in the index at all: nothing of a buffer there is stored */
  readonly whyRefused: (paths: readonly string[]) => Promise<ReadonlyMap<string, SkipReason>>;
  /** Analyses the content; the row is skipped when the content rules it out. */
  readonly read: (document: OpenDocument) => Promise<FileRow>;
  /** Called after something else counts at a path. */
  readonly onChange: () => void;
  /** Something reads contents right now that it will refer to later: none may be forgotten. */
  readonly isReading: () => boolean;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  readonly limits?: Partial<DocumentLimits>;
}

export interface DocumentLimits {
  /** Open at once; the one that was silent longest makes room. */
  readonly documents: number;
  /** How long one stays without a new version or a repeat: the editor that does not close it may have crashed. */
  readonly leaseMs: number;
  readonly checkMs: number;
}

const usualLimits: DocumentLimits = { documents: 256, leaseMs: 30 * 60_000, checkMs: 30_000 };

interface Entry {
  readonly path: string;
  readonly sessionId: string | undefined;
  version: number;
  heardAt: number;
  /** The newest that was not read yet. */
  next: OpenDocument | undefined;
  reading: Promise<unknown>;
  /** The read that takes `next`; it starts when the one before it ends. */
  turn: Promise<DocumentResponse> | undefined;
  /** Why it is refused, or `"no"`; asked once, and again by `recheck`. */
  refusal: SkipReason | "no" | undefined;
  /** What counts at the path by now. */
  row: FileRow | undefined;
}

export function createDocuments({
  store,
  whyRefused,
  read,
  onChange,
  isReading,
  now = () => performance.now(),
  limits,
}: DocumentsDeps): Documents {
  const { documents, leaseMs, checkMs } = { ...usualLimits, ...limits };
  /** The one that was silent longest first. */
  const open = new Map<string, Entry>();
  /** Contents that no buffer shows any more; only buffers had them, unless they were saved. */
  let left: readonly Content[] = [];
  let reads = 0;

  store.closeAllDocuments();
  const checking = setInterval(endSilent, checkMs);
  checking.unref();

  function endSilent(): void {
    const since = now() - leaseMs;
    try {
      for (const entry of open.values()) if (entry.heardAt < since) end(entry);
      forgetLeft();
    } catch {
      // The disk fails, as a sync will say; the next check tries again.
    }
  }

  /** @throws when the disk fails; the next check tries again */
  function end(entry: Entry): void {
    entry.heardAt = Number.NEGATIVE_INFINITY;
    store.closeDocument(entry.path);
    open.delete(entry.path);
    leave(entry.row);
    onChange();
  }

  function leave(row: FileRow | undefined): void {
    if (row?.blob) left = [...left, row];
    forgetLeft();
  }

  function forgetLeft(): void {
    if (reads === 0 && !isReading()) left = store.forgetUnused(left);
  }

  function entryFor({ path, sessionId, version }: OpenDocument): Entry {
    const known = open.get(path);
    open.delete(path);
    const entry: Entry =
      known?.sessionId === sessionId && known
        ? known
        : {
            ...{ path, sessionId, version, heardAt: 0, next: undefined, turn: undefined, refusal: undefined },
            ...{ reading: known?.reading ?? Promise.resolve(), row: known?.row },
          };
    open.set(path, entry);
    entry.version = version;
    entry.heardAt = now();
    for (const silent of open.values()) {
      if (open.size <= documents) break;
      end(silent);
    }
    return entry;
  }

  async function take(entry: Entry): Promise<DocumentResponse> {
    const document = entry.next;
    entry.next = entry.turn = undefined;
    if (!document || open.get(entry.path) !== entry) return onDisk(entry.path);
    reads++;
    try {
      entry.refusal ??= (await whyRefused([entry.path])).get(entry.path) ?? "no";
      const { refusal } = entry;
      const row = refusal === "no" ? await read(document) : undefined;
      // Closed, or opened by another window, while it was read.
      if (open.get(entry.path) !== entry) {
        if (row?.blob) left = [...left, row];
        return onDisk(entry.path);
      }
      if (!row) {
        store.closeDocument(entry.path);
        return { indexed: 0, skipped: refusal };
      }
      // A repeat too: what lies on the disk may be another file than when it was put before.
      store.putDocument(row, document.version);
      if (entry.row?.blob && entry.row.blob !== row.blob) left = [...left, entry.row];
      entry.row = row;
      onChange();
      return answer(row);
    } finally {
      reads--;
      forgetLeft();
    }
  }

  const answer = (row: FileRow): DocumentResponse => ({
    indexed: store.chunkCount(row),
    ...(row.skip && { skipped: row.skip }),
  });

  function onDisk(path: string): DocumentResponse {
    const file = store.files([path]).find((f) => f.path === path);
    return { indexed: file ? store.chunkCount(file) : 0 };
  }

  return {
    async put(document) {
      const known = open.get(document.path);
      if (known && known.sessionId === document.sessionId && document.version < known.version)
        return { ...(known.row ? answer(known.row) : onDisk(document.path)), skipped: "outdated" };
      const entry = entryFor(document);
      entry.next = document;
      if (!entry.turn) {
        entry.turn = entry.reading.then(() => take(entry));
        entry.reading = entry.turn.catch(() => {});
      }
      return entry.turn;
    },
    close(path, sessionId) {
      const entry = open.get(path);
      const isOfAnother =
        sessionId !== undefined && entry?.sessionId !== undefined && sessionId !== entry.sessionId;
      if (entry && !isOfAnother) end(entry);
      return onDisk(path);
    },
    isOpen: (path) => open.has(path),
    async recheck() {
      if (open.size === 0) return;
      const entries = [...open.values()];
      const refused = await whyRefused(entries.map(({ path }) => path));
      for (const entry of entries) {
        entry.refusal = refused.get(entry.path) ?? "no";
        if (entry.refusal !== "no" && open.get(entry.path) === entry) end(entry);
      }
    },
    stop: () => clearInterval(checking),
  };
}
