/** An indexer at work on a real folder, with a chunker of one chunk a file and nothing that embeds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { blobId, type IndexDb, openIndexForWriting } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { analysisOf } from "../analysis.ts";
import type { Analyzer } from "../chunker/analyze.ts";
import type { IndexFileDeps } from "../index-file.ts";
import { createIndexStore, type IndexStore } from "../index-store.ts";
import { createIndexer, type Indexer, type IndexerDeps } from "../indexer.ts";
import { type KeepInStepOptions, keepInStep } from "../keep-in-step.ts";
import { readContent } from "../read-content.ts";
import { createWorkTree, type WorkTree } from "../work-tree.ts";

export interface TempIndexer extends AsyncDisposable {
  readonly indexer: Indexer;
  readonly store: IndexStore;
  readonly tree: WorkTree;
  readonly db: IndexDb;
  /** path → blob, or the reason it is skipped. */
  indexed(): Record<string, string>;
  /** Waits until the index says this; fails with the difference. */
  becomes(expected: Record<string, string>): Promise<void>;
  sync(): Promise<void>;
  parsed(): number;
}

export interface TempIndexerOptions {
  readonly maxFileBytes?: number;
  readonly stateFolder?: string;
  readonly onDamaged?: () => void;
  /** Where the index is, and stays; default: a folder that goes with it. */
  readonly dir?: string;
  /** Follow changes, besides syncing when told. */
  readonly watch?: boolean | Partial<Pick<KeepInStepOptions, "polling" | "every" | "watch">>;
}

const log = createLogger("test", "silent");

export async function tempIndexer(root: string, options: TempIndexerOptions = {}): Promise<TempIndexer> {
  const { maxFileBytes = 100_000, stateFolder, watch = false } = options;
  const state = tempDir();
  const indexDir = options.dir ?? state.dir;
  const db = openIndexForWriting(indexDir);
  const store = createIndexStore(db);
  const tree = createWorkTree({ root, stateFolder, maxFileBytes, log });
  const indexer = createIndexer({
    ...{ root, tree, store, maxFileBytes, log, workspace: "test", indexDir },
    onDamaged: options.onDamaged ?? (() => {}),
    threads: fakeThreads,
    vectors: () => fakeVectors,
  });
  const following =
    watch &&
    (await keepInStep({
      root,
      tree,
      indexer,
      stateFolder,
      log,
      polling: false,
      ...(watch === true ? {} : watch),
    }));

  function indexed(): Record<string, string> {
    return Object.fromEntries(store.files([""]).map((f) => [f.path, f.blob ?? f.skip ?? "?"]));
  }
  async function sync(): Promise<void> {
    indexer.syncPaths([""]);
    await indexer.idle();
  }
  await sync();

  return {
    ...{ indexer, store, tree, db, indexed, sync },
    async becomes(expected) {
      const until = performance.now() + 10_000;
      const wanted = JSON.stringify(Object.entries(expected).sort());
      while (JSON.stringify(Object.entries(indexed()).sort()) !== wanted) {
        if (performance.now() > until)
          throw new Error(
            `the index has\n${JSON.stringify(indexed(), null, 1)}\nand not\n${JSON.stringify(expected, null, 1)}`,
          );
        await sleep(10);
      }
    },
    parsed: () => indexer.status().counters.filesParsed,
    async [Symbol.asyncDispose]() {
      await (following || undefined)?.close();
      await indexer.close();
      db.close();
      state[Symbol.dispose]();
    },
  };
}

/** Every plain file beneath `root` outside `.git` and the given folders, hashed as git does: what an index must equal. */
export function workTreeOf(root: string, without: readonly string[] = []): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || /(^|\/)\.git(\/|$)/.test(path) || without.some((w) => path.startsWith(`${w}/`)))
      continue;
    files[path] = blobId(readFileSync(join(root, path)));
  }
  return files;
}

/** One chunk a file. */
const fakeAnalyzer: Analyzer = {
  analyze: (text) => ({
    chunks: text
      ? [
          {
            ...{ kind: "lines" as const, name: null, container: null, signature: null, text },
            ...{ startLine: 1, endLine: text.split("\n").length },
          },
        ]
      : [],
    symbols: [],
    references: [],
    imports: [],
  }),
};

export const fakeThreads: IndexerDeps["threads"] = {
  size: 1,
  read: async (file) => readContent(file, fakeAnalyzer),
  analyze: async (text, language) => analysisOf(fakeAnalyzer, text, language),
};

/** As an embedder that is not instant. */
export const embedLater: Pick<IndexFileDeps, "embedNow" | "embedsNow"> = {
  embedNow: async () => undefined,
  embedsNow: () => false,
};

const fakeVectors: ReturnType<IndexerDeps["vectors"]> = {
  kick() {},
  ...{ embedNow: embedLater.embedNow, embedsNow: false },
  progress: () => ({ embedded: 0, chunksTotal: 0, etaMs: 0 }),
  status: () => ({
    embedder: { id: "none", status: "ok", detail: "" },
    pendingEmbeddings: 0,
    vectors: { collection: "", status: "ok", detail: "", stored: 0 },
    textsEmbedded: 0,
    storage: undefined,
  }),
};
