import type { ServerResponse } from "node:http";
import { createLogger } from "@dhi/core/log";
import { fimRequest } from "@dhi/core/protocol";
import { closedPort, type FakeRequest, startFakeServer } from "@dhi/core/testing/fake-server";
import { isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { contextWindow, createEngine, type Engines } from "./create-engine.ts";
import type { Engine, Generated } from "./engine.ts";
import { startFakeUpstream } from "./testing/fake-upstream.ts";

const MODEL = "fake-coder:1b";
const live = () => new AbortController().signal;
const log = createLogger("test", "silent");
const options = { stop: [], maxTokens: 9 };
const answer = (text: string): Generated => ({
  text,
  finish: "stop",
  usage: { promptTokens: null, cachedTokens: null, completionTokens: 1 },
  meanLogprob: null,
  confidence: 0.9,
  firstTokenMs: 1,
});
const fakeInstant: Engine = {
  name: "instant",
  model: "n-gram",
  readsPrompt: false,
  preview: async () => ({ preview: "from instant", confidence: 0.9 }),
  async generate(_, { onText }) {
    onText?.("from instant");
    return answer("from instant");
  },
  health: async () => ({ status: "ok", detail: "1 file" }),
  async warmUp() {},
};
const input = { prompt: "p", request: fimRequest.parse({ path: "a.ts", prefix: "p" }) };

function enginesFor(host: string, ENGINE: string): Engines & Disposable {
  const config = readConfig({ ENGINE, OLLAMA_HOST: host, FIM_MODEL: MODEL });
  const engines = createEngine(config, { instant: fakeInstant, log });
  return { ...engines, [Symbol.dispose]: () => engines.close() };
}
const nowhere = async () => `http://127.0.0.1:${await closedPort()}`;

describe("ENGINE=auto", () => {
  test("answers with Ollama once it has loaded the model", async () => {
    const fake = fakeOllama();
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    await expect
      .poll(() => engines.default.health(live()))
      .toEqual({
        status: "ok",
        detail: `ollama: ${MODEL} at ${server.url}`,
      });
    const engine = engines.forRequest(input.request);
    expect((await engine.generate(input, options, live())).text).toBe("from ollama");
    expect([engine.name, engine.model]).toEqual(["ollama", MODEL]);
  });

  test("has a preview by instant, which an engine that was chosen has not", async () => {
    using auto = enginesFor(await nowhere(), "auto");
    using chosen = enginesFor(await nowhere(), "ollama");
    expect(await auto.forRequest(input.request).preview?.(input.request)).toEqual({
      preview: "from instant",
      confidence: 0.9,
    });
    expect([
      await auto.forRequest({ engine: "ollama" }).preview?.(input.request),
      await chosen.default.preview?.(input.request),
    ]).toEqual([undefined, undefined]);
  });

  test("answers with instant while the model loads", async () => {
    const fake = fakeOllama();
    fake.loads = false;
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    await expect.poll(() => engines.default.name).toBe("instant");
    expect(await engines.default.health(live())).toEqual({
      status: "starting",
      detail: `loading ${MODEL}; until then instant, without a model`,
    });
    expect((await engines.forRequest(input.request).generate(input, options, live())).text).toBe(
      "from instant",
    );
  });

  test("answers with instant when nothing listens, and says why", async () => {
    const host = await nowhere();
    using engines = enginesFor(host, "auto");
    const engine = engines.forRequest(input.request);
    expect((await engine.generate(input, options, live())).text).toBe("from instant");
    expect([engine.name, engine.model]).toEqual(["instant", "n-gram"]);
    const { status, detail } = await engines.default.health(live());
    expect(status).toBe("ok");
    expect(detail).toContain(`instant, without a model (ollama: not reachable at ${host}`);
  });

  test("names the model to pull when Ollama lacks it", async () => {
    const fake = fakeOllama();
    fake.models = [];
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    expect((await engines.default.health(live())).detail).toBe(
      `instant, without a model (ollama: model ${MODEL} is missing, run \`ollama pull ${MODEL}\`)`,
    );
    expect(engines.default.name).toBe("instant");
  });

  test("answers the very request in which Ollama fails with instant, and returns to Ollama when it is back", async () => {
    const fake = fakeOllama();
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    await expect.poll(() => engines.default.health(live())).toMatchObject({ status: "ok" });
    fake.failure = "runner crashed";
    const engine = engines.forRequest(input.request);
    const pieces: string[] = [];
    const generated = await engine.generate(input, { ...options, onText: (t) => pieces.push(t) }, live());
    expect([generated.text, pieces.join(""), engine.name]).toEqual([
      "from instant",
      "from instant",
      "instant",
    ]);
    fake.failure = undefined;
    await expect.poll(() => engines.default.name).toBe("ollama");
    expect((await engines.forRequest(input.request).generate(input, options, live())).text).toBe(
      "from ollama",
    );
  });

  test("stays with Ollama when it refuses one request alone", async () => {
    const fake = fakeOllama();
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    await expect.poll(() => engines.default.health(live())).toMatchObject({ status: "ok" });
    fake.failure = "the input length exceeds the context length";
    fake.failureStatus = 400;
    const engine = engines.forRequest(input.request);
    expect((await engine.generate(input, options, live())).text).toBe("from instant");
    expect([engine.name, engines.default.name]).toEqual(["instant", "ollama"]);
  });

  test("keeps what Ollama wrote before it failed, so that pieces and text agree", async () => {
    const fake = fakeOllama();
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    await expect.poll(() => engines.default.health(live())).toMatchObject({ status: "ok" });
    fake.failureAfterText = "out of memory";
    const engine = engines.forRequest(input.request);
    const pieces: string[] = [];
    const generated = await engine.generate(input, { ...options, onText: (t) => pieces.push(t) }, live());
    expect(generated).toMatchObject({ text: "from ollama", finish: "length" });
    expect([pieces.join(""), engine.name, engine.readsPrompt]).toEqual(["from ollama", "ollama", true]);
  });

  test("passes an abort through and asks no other engine", async () => {
    const fake = fakeOllama();
    await using server = await startFakeServer(fake.answer);
    using engines = enginesFor(server.url, "auto");
    const abort = new AbortController();
    const onText = () => abort.abort();
    const error = await engines
      .forRequest(input.request)
      .generate(input, { ...options, onText }, abort.signal)
      .catch((e: unknown) => e);
    expect(isAbortError(error)).toBe(true);
  });
});

test("ENGINE=ollama lets Ollama's own words through", async () => {
  const fake = fakeOllama();
  fake.failure = "runner crashed";
  await using server = await startFakeServer(fake.answer);
  using engines = enginesFor(server.url, "ollama");
  const error = await engines.default.generate(input, options, live()).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(UpstreamError);
  expect((error as Error).message).toBe("ollama: 500 runner crashed");
});

test.each([
  ["llama-server", "/completion"],
  ["openai", "/v1/completions"],
] as const)("ENGINE=%s asks its own server", async (ENGINE, path) => {
  await using server = await startFakeUpstream(ENGINE, { model: MODEL, tokens: ["from", " there"] });
  const hosts = { LLAMA_SERVER_HOST: server.url, OPENAI_BASE_URL: server.url, OLLAMA_HOST: await nowhere() };
  const config = readConfig({ ENGINE, FIM_MODEL: MODEL, OPENAI_API_KEY: "key", ...hosts });
  const engines = createEngine(config, { instant: fakeInstant, log });
  const engine = engines.forRequest(input.request);
  expect((await engine.generate(input, options, live())).text).toBe("from there");
  expect([engine.name, engine.model, engine.readsPrompt]).toEqual([ENGINE, MODEL, true]);
  expect(server.requests.at(-1)?.path).toBe(path);
  expect(server.headers(server.requests.length - 1).authorization).toBe(
    ENGINE === "openai" ? "Bearer key" : undefined,
  );
});

test("ENGINE=instant asks no Ollama", async () => {
  await using server = await startFakeServer(fakeOllama().answer);
  using engines = enginesFor(server.url, "instant");
  expect((await engines.default.generate(input, options, live())).text).toBe("from instant");
  expect(server.requests).toEqual([]);
});

test.each(["auto", "ollama", "instant"])(
  "a request may name its engine, whatever ENGINE=%s says",
  async (ENGINE) => {
    using engines = enginesFor(await nowhere(), ENGINE);
    expect(engines.forRequest({ engine: "instant" }).name).toBe("instant");
    const failed = engines.forRequest({ engine: "ollama" }).generate(input, options, live());
    await expect(failed).rejects.toBeInstanceOf(UpstreamError);
  },
);

test.each([
  [2048, 128, 3072],
  [256, 1, 512],
  [8192, 256, 10_752],
])(
  "the context window of %i + %i tokens is %i: slack for the estimate, in whole steps",
  (context, max, window) => {
    expect(contextWindow(context, max)).toBe(window);
  },
);

interface FakeOllama {
  models: string[];
  loads: boolean;
  failure: string | undefined;
  failureStatus: number;
  failureAfterText: string | undefined;
  answer(request: FakeRequest, response: ServerResponse): void;
}

function fakeOllama(): FakeOllama {
  const fake: FakeOllama = {
    models: [MODEL],
    loads: true,
    failure: undefined,
    failureStatus: 500,
    failureAfterText: undefined,
    answer({ path, body }, response) {
      if (path === "/api/tags") {
        response.end(JSON.stringify({ models: fake.models.map((name) => ({ name })) }));
      } else if (!(body as { prompt?: string }).prompt) {
        if (fake.loads) response.end(JSON.stringify({ done: true, done_reason: "load" }));
      } else if (fake.failure) {
        response.writeHead(fake.failureStatus).end(JSON.stringify({ error: fake.failure }));
      } else {
        response.write(`${JSON.stringify({ response: "from ollama" })}\n`);
        response.end(
          `${JSON.stringify(fake.failureAfterText ? { error: fake.failureAfterText } : { done: true })}\n`,
        );
      }
    },
  };
  return fake;
}
