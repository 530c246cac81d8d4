import type { IndexerStatus } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test, vi } from "vitest";
import {
  describeIndex,
  type Statuses,
  storedVectors,
  waitForIndex,
  waitForVectors,
} from "./wait-for-index.ts";

const never = new AbortController().signal;

function status(more: Partial<IndexerStatus>, stored: number, filesDone = 4): IndexerStatus {
  return {
    workspace: "shop",
    state: "watching",
    files: 4,
    chunks: 10,
    symbols: 3,
    skipped: {},
    embedder: { id: "hash:1", status: "ok", detail: "EMBEDDER=hash" },
    pendingEmbeddings: 10 - stored,
    vectors: { collection: "c", status: "ok", detail: "", stored },
    lastChangeAt: null,
    job: {
      id: "j",
      state: filesDone < 4 ? "running" : "done",
      files: filesDone,
      filesTotal: 4,
      chunks: 10,
      embedded: 0,
      chunksTotal: 10,
      etaMs: null,
    },
    counters: { filesParsed: 4, textsEmbedded: stored },
    ...more,
  };
}

/** Answers with one after the other, and with the last for good. */
const fakeIndexer = (...answers: (IndexerStatus | IndexerStatus[])[]) => {
  let asked = 0;
  return startFakeServer((_, response) => {
    const workspaces = [answers[Math.min(asked++, answers.length - 1)]].flat();
    response.end(JSON.stringify({ workspaces }));
  });
};

/** What was printed while `run` ran; tests have no terminal, so in lines. */
async function printedBy(run: () => Promise<unknown>): Promise<string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await run();
    return log.mock.calls.map(([line]) => String(line));
  } finally {
    log.mockRestore();
  }
}

test("shows files first and vectors after them, so that no bar runs backwards", async () => {
  await using indexer = await fakeIndexer(
    status({ state: "syncing", chunks: 0, pendingEmbeddings: 0 }, 0, 2),
    status({ state: "syncing", pendingEmbeddings: 10 }, 0, 3),
    status({}, 4),
    status({}, 7),
    status({ pendingEmbeddings: 0 }, 9),
  );
  const printed = await printedBy(() => waitForIndex(indexer.url, never));
  expect(printed).toEqual([
    "Indexing 50 % · 2/4 files",
    "Indexing 100 % · 4/4 files",
    "Embedding 70 % · 7/10 vectors",
    "Embedding 100 % · 9/9 vectors",
  ]);
});

test("goes on once its patience for vectors has ended, and says that they follow", async () => {
  await using indexer = await fakeIndexer(status({}, 4));
  let found: Statuses | undefined;
  await printedBy(async () => {
    found = await waitForIndex(indexer.url, never, 0);
  });
  expect(describeIndex(found!, "1.0 s")).toBe(
    [
      "Index: 4 files, 10 chunks, 3 definitions in 1.0 s; 4 files parsed now",
      "  embedder hash:1, EMBEDDER=hash",
      "  4 of 10 vectors are there, the rest come in the background; completions use names and words until then",
    ].join("\n"),
  );
});

test("with all vectors there from the start, none is waited for or shown", async () => {
  await using indexer = await fakeIndexer(status({}, 10));
  const printed = await printedBy(() => waitForIndex(indexer.url, never));
  expect(printed).toEqual(["Indexing 100 % · 4/4 files"]);
  expect(indexer.requests).toHaveLength(1);
});

test("a sync that failed ends the wait with its reason", async () => {
  await using indexer = await fakeIndexer(status({ state: "failed", error: "disk full" }, 0));
  await expect(waitForIndex(indexer.url, never)).rejects.toThrow("indexing failed: disk full");
});

test("waits for every workspace that can be indexed, and names the one that cannot", async () => {
  const failed = status({ workspace: "api", state: "failed", error: "locked", job: null }, 0);
  const docs = (more: Partial<IndexerStatus>, filesDone: number) =>
    status({ workspace: "docs", chunks: 2, pendingEmbeddings: 0, ...more }, 10, filesDone);
  await using indexer = await fakeIndexer(
    [status({}, 10), docs({ state: "syncing" }, 1), failed],
    [status({}, 10), docs({}, 4), failed],
  );
  let found: Statuses | undefined;
  const printed = await printedBy(async () => {
    found = await waitForIndex(indexer.url, never);
  });
  expect(printed).toEqual(["Indexing 62 % · 5/8 files", "Indexing 100 % · 8/8 files"]);
  expect(describeIndex(found!, "1.0 s")).toBe(
    [
      "Index: shop, 4 files, 10 chunks, 3 definitions in 1.0 s; 4 files parsed now",
      "Index: docs, 4 files, 2 chunks, 3 definitions in 1.0 s; 4 files parsed now",
      "Index: api, left out: locked",
      "  embedder hash:1, EMBEDDER=hash",
    ].join("\n"),
  );
});

test("waits on while vectors are missing or Chroma is behind", async () => {
  const behind = { collection: "c", status: "catching-up", detail: "", stored: 8 } as const;
  await using indexer = await fakeIndexer(
    status({}, 9),
    status({ vectors: behind, pendingEmbeddings: 0 }, 8),
    status({}, 10),
  );
  expect(storedVectors(await waitForVectors(indexer.url, never))).toBe(10);
});

test("ends with the signal's own error as soon as it fires", async () => {
  await using indexer = await fakeIndexer(status({}, 4));
  const stop = new AbortController();
  const waiting = waitForVectors(indexer.url, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});
