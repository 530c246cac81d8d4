import type { EngineName, Usage } from "@dhi/core/protocol";
import { fimRequest } from "@dhi/core/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine } from "../engines/engine.ts";
import { createRateLog } from "./rates.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

interface Call extends Partial<Usage> {
  readonly firstTokenMs?: number | null;
  readonly totalMs?: number;
}

/** Each call takes what `next` says. */
function fakeEngine(name: EngineName = "ollama") {
  let next: Call = {};
  const engine: Engine = {
    ...{ name, model: "m", readsPrompt: true, health: async () => ({ status: "ok", detail: "" }) },
    async warmUp() {},
    async generate() {
      const { firstTokenMs = 100, totalMs = 200, ...told } = next;
      await new Promise((done) => setTimeout(done, totalMs));
      const usage = { promptTokens: null, cachedTokens: null, completionTokens: null, ...told };
      return { text: "x", finish: "stop", usage, meanLogprob: null, confidence: null, firstTokenMs };
    },
  };
  const rates = createRateLog();
  const measured = rates.measured(engine);
  const input = { prompt: "", request: fimRequest.parse({ path: "a.ts", prefix: "" }) };
  return {
    ...{ rates, measured },
    async call(one: Call) {
      next = one;
      const calling = measured.generate(input, { stop: [], maxTokens: 9 }, AbortSignal.timeout(1e6));
      await vi.advanceTimersByTimeAsync(one.totalMs ?? 200);
      await calling;
    },
  };
}

test("reading is what was not cached by the time to the first text, writing what follows it", async () => {
  const { rates, call } = fakeEngine();
  expect(rates.of("ollama")).toEqual({ prefill: null, decode: null, firstTextMs: null, calls: 0 });
  await call({ promptTokens: 600, cachedTokens: 100, completionTokens: 11, firstTokenMs: 250, totalMs: 750 });
  expect(rates.of("ollama")).toEqual({ prefill: 2_000, decode: 20, firstTextMs: 250, calls: 1 });
  expect(rates.of("openai").calls).toBe(0);
});

test("what tells nothing of a rate leaves it as it was", async () => {
  const { rates, call } = fakeEngine();
  // Nearly all of it cached; not told; next to nothing written; all at once; no text.
  await call({ promptTokens: 600, cachedTokens: 590, completionTokens: 2 });
  await call({ promptTokens: 600, cachedTokens: null });
  await call({ completionTokens: 50, firstTokenMs: 200, totalMs: 200 });
  await call({ promptTokens: 600, cachedTokens: 0, completionTokens: 50, firstTokenMs: null });
  expect(rates.of("ollama")).toMatchObject({ prefill: null, decode: null, calls: 3 });
});

test("a call that waited for the model to load is one among others", async () => {
  const { rates, call } = fakeEngine();
  const usual = { promptTokens: 100, cachedTokens: 0, completionTokens: 11, firstTokenMs: 100, totalMs: 200 };
  await call({ ...usual, firstTokenMs: 30_000, totalMs: 30_100 });
  for (let i = 0; i < 3; i++) await call(usual);
  expect(rates.of("ollama")).toMatchObject({ prefill: 1_000, firstTextMs: 100 });
});

test("the engine without a model is not measured, and what else an engine is stays as it is", async () => {
  const { rates, measured, call } = fakeEngine("instant");
  await call({ completionTokens: 50 });
  expect(rates.of("instant").calls).toBe(0);
  expect([measured.name, measured.model, measured.readsPrompt]).toEqual(["instant", "m", true]);
});
