import { expect, test } from "vitest";
import { chooseEmbedder, embedderById } from "./create-embedder.ts";
import { closedPort, startFakeServer } from "./testing/fake-server.ts";

const never = new AbortController().signal;

const ollamaWith = (...names: string[]) =>
  startFakeServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ models: names.map((name) => ({ name })) }));
  });

function config(OLLAMA_HOST: string, EMBEDDER: "auto" | "ollama" | "hash" = "auto") {
  return { EMBEDDER, EMBED_MODEL: "nomic-embed-text", OLLAMA_HOST, OLLAMA_KEEP_ALIVE: "30m" };
}
const nobody = async () => `http://127.0.0.1:${await closedPort()}`;

test("auto takes Ollama when it has the model", async () => {
  await using ollama = await ollamaWith("llama3:8b", "nomic-embed-text:latest");
  const { embedder, detail } = await chooseEmbedder(config(ollama.url), undefined, never);
  expect(embedder.id).toBe("ollama:nomic-embed-text");
  expect(detail).toBe(`nomic-embed-text at ${ollama.url}`);
});

test("auto leaves the hash embedder for Ollama once it is there", async () => {
  await using ollama = await ollamaWith("nomic-embed-text:latest");
  const { embedder } = await chooseEmbedder(config(ollama.url), "hash:1", never);
  expect(embedder.id).toBe("ollama:nomic-embed-text");
});

test("auto takes the hash embedder when Ollama lacks the model, and says what to do", async () => {
  await using ollama = await ollamaWith("llama3:8b");
  const { embedder, detail } = await chooseEmbedder(config(ollama.url), undefined, never);
  expect(embedder.id).toBe("hash:1");
  expect(detail).toContain("ollama pull nomic-embed-text");
});

test("auto takes the hash embedder when nobody answers, and says so", async () => {
  const { embedder, detail } = await chooseEmbedder(config(await nobody()), undefined, never);
  expect(embedder.id).toBe("hash:1");
  expect(detail).toContain("ECONNREFUSED");
});

test("auto stays with the Ollama that made the index while it is down", async () => {
  const { embedder, detail } = await chooseEmbedder(config(await nobody()), "ollama:nomic-embed-text", never);
  expect(embedder.id).toBe("ollama:nomic-embed-text");
  expect(detail).toContain("ECONNREFUSED");
});

test("auto does not stay with another model than the one that is set", async () => {
  const { embedder } = await chooseEmbedder(config(await nobody()), "ollama:all-minilm", never);
  expect(embedder.id).toBe("hash:1");
});

test.each([
  ["ollama", "ollama:nomic-embed-text"],
  ["hash", "hash:1"],
] as const)("EMBEDDER=%s is obeyed without asking anybody", async (EMBEDDER, id) => {
  await using ollama = await ollamaWith();
  const { embedder } = await chooseEmbedder(config(ollama.url, EMBEDDER), undefined, never);
  expect(embedder.id).toBe(id);
  expect(ollama.requests).toEqual([]);
});

test("passes an abort through", async () => {
  await using hanging = await startFakeServer(() => {});
  const gone = new AbortController();
  const choosing = chooseEmbedder(config(hanging.url), undefined, gone.signal);
  choosing.catch(() => {});
  await expect.poll(() => hanging.requests.length).toBe(1);
  gone.abort();
  await expect(choosing).rejects.toBe(gone.signal.reason);
});

test.each(["hash:1", "ollama:all-minilm:22m"])("finds %s by its id", (id) => {
  expect(embedderById(id, config("http://127.0.0.1:1")).id).toBe(id);
});

test.each(["hash:2", "ollama:", "x"])("knows no embedder called %s", (id) => {
  expect(() => embedderById(id, config("http://127.0.0.1:1"))).toThrow(RangeError);
});
