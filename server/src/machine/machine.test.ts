import { totalmem } from "node:os";
import { machineResponse } from "@dhi/core/machine-protocol";
import type { FakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const shape = {
  "qwen2.block_count": 28,
  "qwen2.embedding_length": 1536,
  "qwen2.attention.head_count": 12,
  "qwen2.attention.head_count_kv": 2,
};
const shown = { ...shownModels.qwen, model_info: { ...shownModels.qwen.model_info, ...shape } };

let library: Record<string, FakeModel>;
let ollama: FakeServer;
let server: Served;
const start = async (env: NodeJS.ProcessEnv = {}) => {
  server = await serve({ OLLAMA_HOST: ollama.url, ENGINE: "ollama", ...env });
};
const machine = async () => machineResponse.parse((await server.get("/v1/machine")).body);

beforeEach(async () => {
  library = { [MODEL]: { shown, size: 986e6 } };
  ollama = await startFakeOllama(library);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await ollama[Symbol.asyncDispose]();
});

test("tells what each model needs, by what it says of itself, and whether that is there", async () => {
  library["large:latest"] = { shown: shownModels.starcoder2, size: totalmem() * 2 };
  library["loaded:latest"] = {
    ...{ shown: shownModels.allMinilm, size: totalmem() * 2 },
    loaded: { size: 7e9, size_vram: 6e9 },
  };
  await start();
  await expect
    .poll(async () => (await machine()).models.map(({ context }) => context))
    .toEqual([
      // 3,072 tokens × 28 layers × 2 heads × (128 + 128) × 2 bytes
      ...[88_080_384, null, null],
    ]);
  const { models, memory, contextTokens } = await machine();
  expect(contextTokens).toBe(3_072);
  expect(memory).toEqual({
    ...{ total: expect.any(Number), available: expect.any(Number) },
    ...{ holdsOllama: true, isLimited: memory.total < totalmem() },
  });
  const [small, large, loaded] = models;
  expect(small).toMatchObject({ name: MODEL, canInfill: true, weights: 986e6, loaded: null });
  expect(small?.needed).toBeGreaterThan(986e6 + 88_080_384);
  expect(large).toMatchObject({ canInfill: true, fits: "no" });
  expect(loaded).toMatchObject({ canInfill: false, fits: "now", loaded: { bytes: 7e9, gpu: 6e9 } });
});

test("tells what the self-test made the model write, and what is wrong with it", async () => {
  library["talker:1b"] = { shown, answer: "Sure! Here is the code" };
  await start();
  await expect.poll(async () => (await machine()).selfTest.state).toBe("passed");
  const { selfTest } = await machine();
  expect(selfTest).toEqual({
    ...{ state: "passed", wrote: "+ b", finding: null, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    asked: { before: "def add(a, b):\n    return a ", after: "\n\n\nprint(add(1, 2))\n" },
  });

  await server.send("PUT", "/v1/config", { model: "talker:1b" });
  await expect
    .poll(async () => (await machine()).selfTest)
    .toMatchObject({
      ...{ state: "failed", wrote: "Sure! Here is the code", finding: expect.stringContaining("chats") },
    });
});

test("tells how fast the engine is once it has answered", async () => {
  await start();
  expect((await machine()).engine).toEqual({
    ...{
      name: "ollama",
      model: MODEL,
      prefill: null,
      decode: null,
      calls: 0,
      firstTextMs: null,
      step: "full",
    },
  });
  await server.send("POST", "/v1/fim", { path: "a.ts", prefix: "return a " });
  const { engine } = await machine();
  expect(engine.calls).toBe(1);
  expect(engine.firstTextMs).toBeGreaterThan(0);
});

test("without Ollama there are no models, and the rest is told", async () => {
  await start({ ENGINE: "instant", OLLAMA_HOST: "http://127.0.0.1:9" });
  expect(await machine()).toMatchObject({
    ...{ models: [], engine: { name: "instant" }, selfTest: { state: "untested", wrote: null } },
  });
});
