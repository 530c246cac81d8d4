import { fimRequest } from "@dhi/core/protocol";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { UpstreamError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import { describeEngine } from "./engine.contract.ts";
import { describeFaults } from "./engine-faults.contract.ts";
import { createOllamaEngine, type OllamaEngineOptions } from "./ollama.ts";
import { startFakeUpstream } from "./testing/fake-upstream.ts";

const MODEL = "fake-coder:1b";
const live = () => new AbortController().signal;
const short = { stop: [], maxTokens: 9 };
const inputOf = (prompt: string) => ({
  prompt,
  request: fimRequest.parse({ path: "src/a.ts", prefix: prompt }),
});
const engineAt = (host: string, options: Partial<OllamaEngineOptions> = {}) =>
  createOllamaEngine({ host, model: MODEL, numCtx: 2048, keepAlive: "30m", ...options });
const start = (tokens = ["alpha", " beta", " gamma", " delta"], model = MODEL) =>
  startFakeUpstream("ollama", { model, tokens });

describeEngine("ollama engine on a fake Ollama", async () => {
  const fake = await start();
  return {
    engine: engineAt(fake.url),
    input: inputOf("<PRE>const a = "),
    stop: " gamma",
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
});
describeFaults("ollama engine when its server fails", {
  protocol: "ollama",
  model: MODEL,
  create: (url) => engineAt(url),
});

describe("what the ollama engine sends", () => {
  test("is the raw prompt, never truncated, with the same load options as the warm-up", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url);
    await engine.warmUp(live());
    await engine.generate(inputOf("<PRE>a"), { stop: ["\n"], maxTokens: 7 }, live());
    const [warmUp, call] = fake.requests.map((r) => r.body);
    const load = {
      model: MODEL,
      keep_alive: "30m",
      shift: false,
      options: { num_ctx: 2048, temperature: 0, seed: 0, repeat_penalty: 1 },
    };
    expect(warmUp).toEqual({ ...load, stream: false });
    expect(call).toEqual({
      ...load,
      prompt: "<PRE>a",
      raw: true,
      stream: true,
      truncate: false,
      logprobs: true,
      options: { ...load.options, num_predict: 7, stop: ["\n"] },
    });
  });

  test("says how tokens are to be drawn beside what the load depends on", async () => {
    await using fake = await start();
    const sampling = { temperature: 0.7, seed: 1 };
    await engineAt(fake.url).generate(inputOf("a"), { ...short, sampling }, live());
    expect(fake.prompts()).toMatchObject([{ options: { num_ctx: 2048, repeat_penalty: 1, ...sampling } }]);
  });

  test("names the threads on every call when they are set", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url, { numThread: 2 });
    await engine.warmUp(live());
    await engine.generate(inputOf("a"), short, live());
    for (const { body } of fake.requests) expect(body).toMatchObject({ options: { num_thread: 2 } });
    expect(fake.requests).toHaveLength(2);
  });

  test("is no warm-up while the model is warm from an answer, and one again after a failure", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url);
    await engine.generate(inputOf("a"), short, live());
    await engine.warmUp(live());
    expect(fake.requests).toHaveLength(1);
    fake.become("reset");
    await expect(engine.generate(inputOf("a"), short, live())).rejects.toBeInstanceOf(UpstreamError);
    await engine.warmUp(live());
    expect(fake.requests).toHaveLength(3);
  });

  test.each([
    ["-1", -1],
    ["300", 300],
    ["30m", "30m"],
  ])("keeps the model for %s as Ollama reads it", async (keepAlive, sent) => {
    await using fake = await start();
    await engineAt(fake.url, { keepAlive }).warmUp(live());
    expect(fake.requests[0]?.body).toMatchObject({ keep_alive: sent });
  });
});

describe("what the ollama engine returns", () => {
  test("has Ollama's counts, and null for what it does not tell", async () => {
    await using server = await startFakeServer((_, response) => {
      response.end('{"response":"ab"}\n{"response":"","done":true,"prompt_eval_count":11,"eval_count":2}\n');
    });
    expect(await engineAt(server.url).generate(inputOf("p"), short, live())).toEqual({
      text: "ab",
      finish: "stop",
      usage: { promptTokens: 11, cachedTokens: null, completionTokens: 2 },
      meanLogprob: null,
      confidence: null,
      firstTokenMs: expect.any(Number),
    });
  });

  test("estimates the cached tokens from how long the prompt took to read", async () => {
    let readMs = 2_000;
    await using server = await startFakeServer((_, response) => {
      const counts = { prompt_eval_count: 1_000, prompt_eval_duration: readMs * 1e6 };
      response.end(`${JSON.stringify({ response: "x", done: true, ...counts })}\n`);
    });
    const engine = engineAt(server.url);
    const prompt = "const a = 1;\n".repeat(300);
    const cached = async (p: string) => (await engine.generate(inputOf(p), short, live())).usage.cachedTokens;
    expect(await cached(prompt)).toBe(0);
    readMs = 100;
    expect(await cached(`${prompt}c`)).toBe(950);
  });

  test("is what came when Ollama's repetition guard ends the stream without a last line", async () => {
    await using server = await startFakeServer((_, response) => {
      response.end(`${JSON.stringify({ response: "la la" })}\n`);
    });
    const generated = await engineAt(server.url).generate(inputOf("p"), short, live());
    expect(generated).toMatchObject({ text: "la la", finish: "stop", usage: { completionTokens: null } });
  });

  test("keeps a character whose bytes arrive in two pieces", async () => {
    await using server = await startFakeServer(async (_, response) => {
      const bytes = Buffer.from(`${JSON.stringify({ response: "naïve" })}\n`);
      const middle = bytes.indexOf(0xc3) + 1;
      response.write(bytes.subarray(0, middle));
      await new Promise((done) => setImmediate(done));
      response.end(bytes.subarray(middle));
    });
    expect((await engineAt(server.url).generate(inputOf("p"), short, live())).text).toBe("naïve");
  });
});

describe("the ollama engine throws an UpstreamError", () => {
  test.each([
    ["that quotes a prompt that is too long", 400, "the input length exceeds the context length"],
    ["that quotes words that are no JSON", 500, "<h1>Bad gateway</h1>"],
  ])("%s", async (_, status, words) => {
    await using server = await startFakeServer((_request, response) => {
      response.writeHead(status).end(words);
    });
    const failed = engineAt(server.url).generate(inputOf("p"), short, live());
    await expect(failed).rejects.toThrow(new UpstreamError("ollama", `${status} ${words}`, { status }));
  });

  test("that names the status of an empty answer", async () => {
    await using server = await startFakeServer((_, response) => {
      response.writeHead(503).end();
    });
    const failed = engineAt(server.url).generate(inputOf("p"), short, live());
    await expect(failed).rejects.toThrow("ollama: 503 Service Unavailable");
  });

  test("for a line that is something else", async () => {
    await using server = await startFakeServer((_, response) => {
      response.end("[1]\n");
    });
    const failed = engineAt(server.url).generate(inputOf("p"), short, live());
    await expect(failed).rejects.toThrow(/^ollama: unexpected answer: .*expected object, received array/);
  });
});

describe("a runner that hangs", () => {
  // Short, and long enough for a busy machine to bring an answer.
  const patience = { leastMs: 400, mostMs: 400 };
  const hangs = (host: string, seconds: number) =>
    `ollama: nothing arrived in ${seconds} s at ${host}; \`ollama stop ${MODEL}\` frees a runner that hangs`;
  const prompt = "const a = 1;\n".repeat(30);

  test("is unloaded once it has answered before, and the call is made again", async () => {
    let isStuck = false;
    await using server = await startFakeServer(({ body }, response) => {
      if ((body as { keep_alive: unknown }).keep_alive === 0) isStuck = false;
      if (!isStuck) response.end('{"response":"alpha","done":true}\n');
    });
    const engine = engineAt(server.url, { patience });
    await engine.generate(inputOf(prompt), short, live());
    isStuck = true;
    expect((await engine.generate(inputOf(prompt), short, live())).text).toBe("alpha");
    const [, hung, unload, again] = server.requests.map(({ body }) => body);
    expect(unload).toEqual({ model: MODEL, keep_alive: 0, stream: false });
    expect(again).toEqual(hung);
    await server.closed(1);
  });

  test("is reported when the second call hangs, too, and unloaded once", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url, { patience });
    await engine.generate(inputOf(prompt), short, live());
    fake.become("stall");
    await expect(engine.generate(inputOf(prompt), short, live())).rejects.toThrow(hangs(fake.url, 0.4));
    expect(fake.prompts()).toHaveLength(3);
    expect(fake.requests).toHaveLength(4);
  });

  test("is reported at once after text that is with the editor already", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url, { patience });
    await engine.generate(inputOf(prompt), short, live());
    fake.become("stall inside");
    const pieces: string[] = [];
    const onText = (text: string) => pieces.push(text);
    const failed = engine.generate(inputOf(prompt), { ...short, onText }, live());
    await expect(failed).rejects.toThrow(hangs(fake.url, 0.4));
    expect(pieces).toEqual(["alpha"]);
    expect(fake.prompts()).toHaveLength(2);
  });

  test("is noticed the sooner the faster it reads", async () => {
    await using fake = await start();
    const engine = engineAt(fake.url, { patience: { leastMs: 400, mostMs: 60_000 }, numCtx: 1 });
    await engine.generate(inputOf(prompt), short, live());
    fake.become("stall inside");
    await expect(engine.generate(inputOf(prompt), short, live())).rejects.toThrow(hangs(fake.url, 0.4));
  });

  test("is left alone while it may be loading, and reported", async () => {
    await using fake = await start();
    fake.become("stall");
    const failed = engineAt(fake.url, { patience }).generate(inputOf(prompt), short, live());
    await expect(failed).rejects.toThrow(hangs(fake.url, 0.4));
    expect(fake.requests).toHaveLength(1);
  });
});

describe("the ollama engine's health", () => {
  test("is ok when the model is there, also under its short name", async () => {
    await using fake = await start([], "fake-coder:latest");
    const engine = engineAt(fake.url, { model: "fake-coder" });
    expect(await engine.health(live())).toEqual({ status: "ok", detail: `fake-coder at ${fake.url}` });
  });

  test("says how to get a model that is missing", async () => {
    await using fake = await start();
    expect(await engineAt(fake.url, { model: "other:1b" }).health(live())).toEqual({
      status: "down",
      detail: "model other:1b is missing, run `ollama pull other:1b`",
    });
  });

  test("says where nothing answers", async () => {
    const host = `http://127.0.0.1:${await closedPort()}`;
    expect(await engineAt(host).health(live())).toEqual({
      status: "down",
      detail: `not reachable at ${host} (connect ECONNREFUSED ${new URL(host).host})`,
    });
  });
});
