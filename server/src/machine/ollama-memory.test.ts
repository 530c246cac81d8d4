import { totalmem } from "node:os";
import { expect, test } from "vitest";
import { memoryOfOllama, sharesMemory } from "./ollama-memory.ts";

const INDEXER_HOST = "http://indexer:8002";
const OLLAMA_HOST = "http://ollama:11434";
const LIMIT = 1e6;

test("a container's limit is what its models may take, without those that are loaded", async () => {
  const place = { OLLAMA_HOST, INDEXER_HOST, OLLAMA_MEM_LIMIT: LIMIT };
  expect(await memoryOfOllama(place, [])).toEqual({ total: LIMIT, available: LIMIT, isLimited: true });
  const loaded = [
    { name: "a", bytes: 300_000, gpu: 0 },
    { name: "in a GPU", bytes: 900_000, gpu: 900_000 },
  ];
  expect(await memoryOfOllama(place, loaded)).toMatchObject({ available: 700_000 });
  expect(await memoryOfOllama(place, [{ name: "b", bytes: 2e6, gpu: 0 }])).toMatchObject({ available: 0 });
});

test.each([
  ["without a limit", { OLLAMA_HOST, INDEXER_HOST, OLLAMA_MEM_LIMIT: 0 }],
  ["with more than the machine has", { OLLAMA_HOST, INDEXER_HOST, OLLAMA_MEM_LIMIT: 1e15 }],
  [
    "where Compose starts no Ollama",
    { OLLAMA_HOST: "http://host.docker.internal:11434", INDEXER_HOST, OLLAMA_MEM_LIMIT: LIMIT },
  ],
])("%s a container has what the machine has", async (_, place) => {
  expect(await memoryOfOllama(place, [])).toMatchObject({ total: totalmem(), isLimited: false });
});

test("outside of Compose its setting means nothing", async () => {
  const place = { OLLAMA_HOST: "http://127.0.0.1:11434", INDEXER_HOST: "http://127.0.0.1:8002" };
  const { total } = await memoryOfOllama({ ...place, OLLAMA_MEM_LIMIT: LIMIT }, []);
  expect(total).toBeGreaterThan(LIMIT);
});

test.each([
  ["on this machine", "http://127.0.0.1:11434", "http://127.0.0.1:8002", true],
  ["in a container beside ours", OLLAMA_HOST, INDEXER_HOST, true],
  ["on another machine", "http://gpu.lan:11434", "http://127.0.0.1:8002", false],
  [
    "on the host of a container, which may have more memory",
    "http://host.docker.internal:11434",
    INDEXER_HOST,
    false,
  ],
])("Ollama %s", (_, ollama, indexer, expected) => {
  expect(sharesMemory({ OLLAMA_HOST: ollama, INDEXER_HOST: indexer })).toBe(expected);
});
