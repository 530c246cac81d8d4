import { fimRequest } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { describe, expect, test } from "vitest";
import { describeEngine } from "./engine.contract.ts";
import { describeFaults } from "./engine-faults.contract.ts";
import { createLlamaServerEngine } from "./llama-server.ts";
import { FAKE_PROMPT_TOKENS, startFakeUpstream } from "./testing/fake-upstream.ts";

const MODEL = "fake-coder";
const live = () => new AbortController().signal;
const engineAt = (host: string) => createLlamaServerEngine({ host, model: MODEL });
const inputOf = (prompt: string, sessionId?: string) => ({
  prompt,
  request: fimRequest.parse({ path: "src/a.ts", prefix: prompt, sessionId }),
});
const start = (tokens = ["alpha", " beta", " gamma", " delta"]) =>
  startFakeUpstream("llama-server", { model: MODEL, tokens });

describeEngine("llama-server engine on a fake llama-server", async () => {
  const fake = await start();
  return {
    engine: engineAt(fake.url),
    input: inputOf("const a = "),
    stop: " gamma",
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
});
describeFaults("llama-server engine when its server fails", {
  protocol: "llama-server",
  model: MODEL,
  create: engineAt,
});

describe("the llama-server engine", () => {
  test("sends the prompt as it is, with all that the answer depends on", async () => {
    await using fake = await start();
    await engineAt(fake.url).generate(inputOf("<PRE>a", "window"), { stop: ["\n"], maxTokens: 7 }, live());
    expect(fake.prompts()).toEqual([
      {
        ...{ prompt: "<PRE>a", stream: true, n_predict: 7, stop: ["\n"] },
        ...{ id_slot: 0, cache_prompt: true, temperature: 0, seed: 0, repeat_penalty: 1, n_probs: 1 },
        response_fields: expect.arrayContaining(["stop_type", "timings"]),
      },
    ]);
  });

  test("reports the tokens that the slot still had", async () => {
    await using fake = await start(["a", "b"]);
    const { usage } = await engineAt(fake.url).generate(inputOf("p"), { stop: [], maxTokens: 9 }, live());
    expect(usage).toEqual({ promptTokens: FAKE_PROMPT_TOKENS, cachedTokens: 7, completionTokens: 2 });
  });

  test("tells how many calls it works on side by side, once its server has told", async () => {
    await using fake = await startFakeUpstream("llama-server", { model: "m", tokens: ["a"] });
    const engine = createLlamaServerEngine({ host: fake.url, model: "m" });
    expect(engine.slots).toBeUndefined();
    await engine.health(live());
    expect(engine.slots).toBe(2);
  });

  test("passes a grammar on", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url);
    expect(engine.obeysGrammar).toBe(true);
    const grammar = 'root ::= "alpha" .*';
    await engine.generate(inputOf("p"), { stop: [], maxTokens: 1, grammar }, live());
    expect(fake.prompts()).toMatchObject([{ grammar }]);
  });

  test("passes on how tokens are to be drawn", async () => {
    await using fake = await start();
    const sampling = { temperature: 0.7, seed: 1 };
    await engineAt(fake.url).generate(inputOf("p"), { stop: [], maxTokens: 1, sampling }, live());
    expect(fake.prompts()).toMatchObject([sampling]);
  });

  test("keeps a slot for each session, asks once how many there are, and leaves the choice without one", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url);
    for (const session of ["a", "b", undefined, "a", "c", "c", "a"])
      await engine.generate(inputOf("p", session), { stop: [], maxTokens: 1 }, live());
    // The fake has two; c takes over from b, which was there before a.
    expect(fake.prompts().map(({ id_slot }) => id_slot)).toEqual([0, 1, -1, 0, 1, 1, 0]);
    expect(fake.requests.filter(({ path }) => path === "/props")).toHaveLength(1);
  });

  test("asks again for the slots of a server that was away, and not after an abort", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url);
    const ask = (signal = live()) =>
      engine.generate(inputOf("p", "a"), { stop: [], maxTokens: 1 }, signal).catch(() => {});
    const asked = () => fake.requests.filter(({ path }) => path === "/props").length;
    await ask();
    fake.become("stall");
    await ask(AbortSignal.timeout(20));
    fake.become(undefined);
    await ask();
    expect(asked()).toBe(1);
    fake.become("reset");
    await ask();
    fake.become(undefined);
    await ask();
    expect(asked()).toBe(2);
  });

  test("quotes a prompt that is over the context", async () => {
    await using fake = await start();
    const words = "request (5000 tokens) exceeds the available context size (2048 tokens)";
    fake.become({ status: 400, words });
    const failed = engineAt(fake.url).generate(inputOf("p"), { stop: [], maxTokens: 1 }, live());
    await expect(failed).rejects.toThrow(`llama-server: 400 ${words}`);
  });

  test("says what a server is that has no slots", async () => {
    await using other = await startFakeServer((_, response) => {
      response.end("{}");
    });
    const engine = engineAt(other.url);
    const words = `no llama-server: /props has no total_slots at ${other.url}`;
    expect(await engine.health(live())).toEqual({ status: "down", detail: words });
    await expect(engine.generate(inputOf("p"), { stop: [], maxTokens: 1 }, live())).rejects.toThrow(words);
  });

  test("names the model's file and the slots in its health", async () => {
    await using fake = await start();
    expect(await engineAt(fake.url).health(live())).toEqual({
      status: "ok",
      detail: `${MODEL}.gguf at ${fake.url}, 2 slots`,
    });
  });
});
