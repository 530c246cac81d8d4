import type { Embedder } from "@dhi/core/embedder";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { createEmbedders, inTurns } from "./embedders.ts";

const never = new AbortController().signal;

/** Calls end when told to, oldest first. */
function fakeEmbedder(parallel?: number) {
  const running: { readonly text: string | undefined; readonly end: (error?: Error) => void }[] = [];
  const embedder: Embedder = {
    ...{ id: "fake", batchSize: 8, ...(parallel !== undefined && { parallel }) },
    embedDocuments: ([text]) =>
      new Promise((resolve, reject) => {
        running.push({ text, end: (error) => (error ? reject(error) : resolve([[1]])) });
      }),
    embedQuery: async () => [1],
  };
  return {
    embedder,
    running: () => running.map(({ text }) => text),
    endOldest: (error?: Error) => running.shift()?.end(error),
  };
}

test("calls of several workspaces take turns, first come, first served, also after one that fails", async () => {
  const { embedder, running, endOldest } = fakeEmbedder();
  const shared = inTurns(embedder);
  const calls = ["a", "b", "c"].map((text) => shared.embedDocuments([text], never));
  await expect.poll(running).toEqual(["a"]);
  endOldest(new Error("no"));
  await expect(calls[0]).rejects.toThrow("no");
  await expect.poll(running).toEqual(["b"]);
  endOldest();
  await expect.poll(running).toEqual(["c"]);
  endOldest();
  expect(await Promise.all(calls.slice(1))).toEqual([[[1]], [[1]]]);
  expect(await shared.embedQuery("q", never)).toEqual([1]);
});

test("as many run at once as the embedder wants", async () => {
  const { embedder, running, endOldest } = fakeEmbedder(2);
  const shared = inTurns(embedder);
  const calls = ["a", "b", "c"].map((text) => shared.embedDocuments([text], never));
  await expect.poll(running).toEqual(["a", "b"]);
  endOldest();
  await expect.poll(running).toEqual(["b", "c"]);
  endOldest();
  endOldest();
  await Promise.all(calls);
});

test("who no longer wants its turn leaves the line at once", async () => {
  const { embedder, running, endOldest } = fakeEmbedder();
  const shared = inTurns(embedder);
  const first = shared.embedDocuments(["a"], never);
  const leaving = new AbortController();
  const second = shared.embedDocuments(["b"], leaving.signal);
  const third = shared.embedDocuments(["c"], never);
  leaving.abort();
  await expect(second).rejects.toBe(leaving.signal.reason);
  endOldest();
  await first;
  await expect.poll(running).toEqual(["c"]);
  endOldest();
  await third;
  await expect(shared.embedDocuments(["d"], leaving.signal)).rejects.toBe(leaving.signal.reason);
});

const fakeThreads = {
  size: 2,
  embed: async (texts: readonly string[]) => texts.map((text) => [text.length]),
};

test("threads make the vectors of the built-in embedder, except a few, for which nobody waits for a thread", async () => {
  const config = { EMBED_MODEL: "none", OLLAMA_HOST: "http://127.0.0.1:9", OLLAMA_KEEP_ALIVE: "1m" };
  const { embedder } = await createEmbedders({ ...config, EMBEDDER: "hash" }, fakeThreads).choose(
    undefined,
    never,
  );
  expect(embedder).toMatchObject({ id: "hash:1", isInstant: true });
  const texts = Array.from({ length: 9 }, (_, i) => "x".repeat(i));
  expect(await embedder.embedDocuments(texts, never)).toEqual(texts.map(({ length }) => [length]));
  const few = texts.slice(0, 8);
  expect(await embedder.embedDocuments(few, never)).toEqual(
    await createHashEmbedder().embedDocuments(few, never),
  );
});

test("everyone who chooses the same embedder gets the same one", async () => {
  await using ollama = await startFakeServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ models: [{ name: "nomic-embed-text:latest" }] }));
  });
  const config = { EMBED_MODEL: "nomic-embed-text", OLLAMA_HOST: ollama.url, OLLAMA_KEEP_ALIVE: "1m" };
  const embedders = createEmbedders({ ...config, EMBEDDER: "auto" }, fakeThreads);
  const [one, other] = [await embedders.choose(undefined, never), await embedders.choose(undefined, never)];
  expect(one.embedder.id).toBe("ollama:nomic-embed-text");
  expect(other.embedder).toBe(one.embedder);
});
