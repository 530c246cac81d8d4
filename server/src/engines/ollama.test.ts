import type { ServerResponse } from "node:http";
import { fimRequest } from "@dhi/core/protocol";
import { closedPort, type FakeRequest, startFakeServer } from "@dhi/core/testing/fake-server";
import { UpstreamError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import { describeEngine } from "./engine.contract.ts";
import { createOllamaEngine, type OllamaEngineOptions } from "./ollama.ts";

const MODEL = "fake-coder:1b";
const realUrl = process.env.DHI_TEST_OLLAMA;
const realModel = process.env.DHI_TEST_OLLAMA_MODEL ?? "dhi-copy:qwen";
const live = () => new AbortController().signal;
const inputOf = (prompt: string) => ({
  prompt,
  request: fimRequest.parse({ path: "src/a.ts", prefix: prompt }),
});
const engineAt = (host: string, options: Partial<OllamaEngineOptions> = {}) =>
  createOllamaEngine({ host, model: MODEL, numCtx: 2048, keepAlive: "30m", ...options });

describeEngine("ollama engine on a fake Ollama", async () => {
  const server = await startFakeServer(fakeOllama(["alpha", " beta", " gamma", " delta"]));
  return {
    engine: engineAt(server.url),
    input: inputOf("<PRE>const a = "),
    stop: " gamma",
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

describeEngine(
  realUrl
    ? `ollama engine on the real Ollama at ${realUrl}`
    : "ollama engine on a real Ollama (skipped: DHI_TEST_OLLAMA does not give its URL)",
  async () => ({
    engine: createOllamaEngine({ host: realUrl ?? "", model: realModel, numCtx: 2048, keepAlive: "30m" }),
    input: inputOf("function alpha(one, two) {\n  return beta(one);\n}\nfunction alpha"),
    stop: " {",
    async [Symbol.asyncDispose]() {},
  }),
  { skip: !realUrl },
);

describe("what the ollama engine sends", () => {
  test("is the raw prompt, never truncated, with the same load options as the warm-up", async () => {
    await using server = await startFakeServer(fakeOllama(["x"]));
    const engine = engineAt(server.url);
    await engine.warmUp(live());
    await engine.generate(inputOf("<PRE>a"), { stop: ["\n"], maxTokens: 7 }, live());
    const [warmUp, call] = server.requests.map((r) => r.body);
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
      options: { ...load.options, num_predict: 7, stop: ["\n"] },
    });
  });

  test("names the threads on every call when they are set", async () => {
    await using server = await startFakeServer(fakeOllama(["x"]));
    const engine = engineAt(server.url, { numThread: 2 });
    await engine.warmUp(live());
    await engine.generate(inputOf("a"), { stop: [], maxTokens: 1 }, live());
    for (const { body } of server.requests) expect(body).toMatchObject({ options: { num_thread: 2 } });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["-1", -1],
    ["300", 300],
    ["30m", "30m"],
  ])("keeps the model for %s as Ollama reads it", async (keepAlive, sent) => {
    await using server = await startFakeServer(fakeOllama(["x"]));
    await engineAt(server.url, { keepAlive }).warmUp(live());
    expect(server.requests[0]?.body).toMatchObject({ keep_alive: sent });
  });
});

describe("what the ollama engine returns", () => {
  test("has Ollama's counts, and null for what it does not tell", async () => {
    await using server = await startFakeServer(fakeOllama(["a", "b"]));
    const generated = await engineAt(server.url).generate(inputOf("p"), { stop: [], maxTokens: 9 }, live());
    expect(generated).toEqual({
      text: "ab",
      finish: "stop",
      usage: { promptTokens: 11, cachedTokens: null, completionTokens: 2 },
      meanLogprob: null,
      confidence: null,
      firstTokenMs: expect.any(Number),
    });
  });

  test("is what came when Ollama's repetition guard ends the stream without a last line", async () => {
    await using server = await startFakeServer((_, response) => {
      response.end(`${JSON.stringify({ response: "la la" })}\n`);
    });
    const generated = await engineAt(server.url).generate(inputOf("p"), { stop: [], maxTokens: 9 }, live());
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
    const { text } = await engineAt(server.url).generate(inputOf("p"), { stop: [], maxTokens: 9 }, live());
    expect(text).toBe("naïve");
  });
});

describe("the ollama engine throws an UpstreamError", () => {
  const failures: [string, (response: ServerResponse) => void, RegExp][] = [
    [
      "quotes a missing model",
      json(404, { error: "model 'fake-coder:1b' not found" }),
      /^ollama: 404 model 'fake-coder:1b' not found$/,
    ],
    [
      "quotes a prompt that is too long",
      json(400, { error: "the input length exceeds the context length" }),
      /^ollama: 400 the input length exceeds the context length$/,
    ],
    [
      "quotes a server error that is no JSON",
      (r) => r.writeHead(500).end("runner crashed"),
      /^ollama: 500 runner crashed$/,
    ],
    [
      "names the status of an empty answer",
      (r) => r.writeHead(503).end(),
      /^ollama: 503 Service Unavailable$/,
    ],
    [
      "quotes an error inside a stream that began well",
      (r) => r.end('{"response":"a"}\n{"error":"CUDA out of memory"}\n'),
      /^ollama: CUDA out of memory$/,
    ],
    ["for a line that was cut", (r) => r.end('{"response":"a"}\n{"respon'), /^ollama: .*JSON.* at http/],
    ["for a line that is something else", (r) => r.end("[1]\n"), /^ollama: unexpected answer: \[1\]$/],
    [
      "for a connection that breaks inside the answer",
      (r) => {
        r.write('{"response":"a"}\n');
        setImmediate(() => r.destroy());
      },
      /^ollama: terminated .* at http/,
    ],
    [
      "for a connection that breaks before the answer",
      (r) => r.destroy(),
      /^ollama: .*(closed|ECONNRESET).* at http/,
    ],
  ];
  test.each(failures)("%s", async (_, answer, message) => {
    await using server = await startFakeServer((_request, response) => answer(response));
    const error = await failureAt(server.url);
    expect(error).toBeInstanceOf(UpstreamError);
    expect((error as Error).message).toMatch(message);
  });

  test("when nothing listens", async () => {
    const host = `http://127.0.0.1:${await closedPort()}`;
    const error = await failureAt(host);
    expect(error).toBeInstanceOf(UpstreamError);
    expect((error as Error).message).toBe(`ollama: connect ECONNREFUSED ${new URL(host).host}`);
  });

  test("that names the way out when a runner hangs, and leaves it", async () => {
    await using server = await startFakeServer(() => {});
    const error = await failureAt(server.url, { firstByteTimeoutMs: 30 });
    expect(error).toBeInstanceOf(UpstreamError);
    expect((error as Error).message).toBe(
      `ollama: no answer from ${server.url} in 0.03 s; \`ollama stop ${MODEL}\` frees a runner that hangs`,
    );
    await server.closed(0);
  });
});

describe("the ollama engine leaves the upstream", () => {
  test.each([
    ["while it waits for the first byte", () => {}],
    ["while text arrives", (response: ServerResponse) => response.write('{"response":"a"}\n')],
  ])("within 5 ms of the signal %s", async (_, answer) => {
    const waits: number[] = [];
    // The machine that tests may be busy: the best of a few tries is what the code does.
    for (let i = 0; i < 5; i++) {
      let begun = () => {};
      const started = new Promise<void>((done) => (begun = done));
      await using server = await startFakeServer((_request, response) => {
        answer(response);
        begun();
      });
      const abort = new AbortController();
      const failed = engineAt(server.url)
        .generate(inputOf("p"), { stop: [], maxTokens: 9 }, abort.signal)
        .catch((e: unknown) => e);
      await started;
      const closed = server.closed(0);
      const firedAt = performance.now();
      abort.abort();
      expect(await failed).toBe(abort.signal.reason);
      await closed;
      waits.push(performance.now() - firedAt);
    }
    expect(Math.min(...waits)).toBeLessThan(5);
  });

  test("never for a call whose signal had fired already", async () => {
    await using server = await startFakeServer(fakeOllama(["x"]));
    await engineAt(server.url)
      .generate(inputOf("p"), { stop: [], maxTokens: 9 }, AbortSignal.abort())
      .catch(() => {});
    expect(server.requests).toEqual([]);
  });
});

describe("the ollama engine's health", () => {
  test("is ok when the model is there, also under its short name", async () => {
    await using server = await startFakeServer(fakeOllama(["x"], "fake-coder:latest"));
    const engine = engineAt(server.url, { model: "fake-coder" });
    expect(await engine.health(live())).toEqual({ status: "ok", detail: `fake-coder at ${server.url}` });
  });

  test("says how to get a model that is missing", async () => {
    await using server = await startFakeServer(fakeOllama(["x"]));
    expect(await engineAt(server.url, { model: "other:1b" }).health(live())).toEqual({
      status: "down",
      detail: "model other:1b is missing, run `ollama pull other:1b`",
    });
  });

  test("says where nothing answers", async () => {
    const host = `http://127.0.0.1:${await closedPort()}`;
    const { status, detail } = await engineAt(host).health(live());
    expect(status).toBe("down");
    expect(detail).toMatch(`not reachable at ${host} (connect ECONNREFUSED`);
  });

  test("is starting while the model loads", async () => {
    let loaded = () => {};
    let asked = () => {};
    const loading = new Promise<void>((done) => (asked = done));
    await using server = await startFakeServer((request, response) => {
      if (request.path === "/api/tags") return fakeOllama([])(request, response);
      loaded = () => response.end("{}");
      asked();
    });
    const engine = engineAt(server.url);
    const warm = engine.warmUp(live());
    await loading;
    expect(await engine.health(live())).toEqual({ status: "starting", detail: `loading ${MODEL}` });
    loaded();
    await warm;
    expect((await engine.health(live())).status).toBe("ok");
  });

  test("is asked of Ollama once for calls in quick succession, and anew after a failure", async () => {
    let broken = false;
    await using server = await startFakeServer((request, response) => {
      if (broken) response.destroy();
      else fakeOllama(["x"])(request, response);
    });
    const engine = engineAt(server.url);
    await engine.health(live());
    await engine.health(live());
    expect(server.requests).toHaveLength(1);
    broken = true;
    await engine.generate(inputOf("p"), { stop: [], maxTokens: 1 }, live()).catch(() => {});
    expect((await engine.health(live())).status).toBe("down");
  });

  test("stays an answer when a warm-up fails", async () => {
    const engine = engineAt(`http://127.0.0.1:${await closedPort()}`);
    await engine.warmUp(live());
    expect((await engine.health(live())).status).toBe("down");
  });
});

const failureAt = (host: string, options: Partial<OllamaEngineOptions> = {}): Promise<unknown> =>
  engineAt(host, options)
    .generate(inputOf("p"), { stop: [], maxTokens: 9 }, live())
    .catch((e: unknown) => e);

function json(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Streams the tokens, one a line, up to `num_predict` and the first that is a stop. */
function fakeOllama(tokens: readonly string[], model = MODEL) {
  return (request: FakeRequest, response: ServerResponse): void => {
    if (request.path === "/api/tags") {
      json(200, { models: [{ name: model }] })(response);
      return;
    }
    const { prompt, options } = request.body as {
      prompt?: string;
      options: { num_predict?: number; stop?: string[] };
    };
    if (!prompt) {
      json(200, { done: true, done_reason: "load" })(response);
      return;
    }
    const stopAt = tokens.findIndex((t) => options.stop?.includes(t));
    const wanted = stopAt < 0 ? tokens : tokens.slice(0, stopAt);
    const sent = wanted.slice(0, options.num_predict);
    for (const token of sent) response.write(`${JSON.stringify({ response: token, done: false })}\n`);
    const done_reason = sent.length < wanted.length ? "length" : "stop";
    response.end(
      `${JSON.stringify({ response: "", done: true, done_reason, prompt_eval_count: 11, eval_count: sent.length })}\n`,
    );
  };
}
