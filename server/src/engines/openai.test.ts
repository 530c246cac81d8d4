import { fimRequest } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { UpstreamError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import { describeEngine } from "./engine.contract.ts";
import { describeFaults } from "./engine-faults.contract.ts";
import { createOpenaiEngine, type OpenaiOptions } from "./openai.ts";
import { FAKE_PROMPT_TOKENS, startFakeUpstream } from "./testing/fake-upstream.ts";

const MODEL = "org/fake-coder";
const live = () => new AbortController().signal;
const engineAt = (url: string, options: Partial<OpenaiOptions> = {}) =>
  createOpenaiEngine({ baseUrl: `${url}/v1`, model: MODEL, sessionHeader: "x-session-id", ...options });
const inputOf = (prompt: string, who: { sessionId?: string; requestId?: string } = {}) => ({
  prompt,
  request: fimRequest.parse({ path: "src/a.ts", prefix: prompt, ...who }),
});
const start = (tokens = ["alpha", " beta", " gamma", " delta"]) =>
  startFakeUpstream("openai", { model: MODEL, tokens });
const short = { stop: [], maxTokens: 4 };

describeEngine("openai engine on a fake server", async () => {
  const fake = await start();
  return {
    engine: engineAt(fake.url),
    input: inputOf("const a = "),
    stop: " gamma",
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
});
describeFaults("openai engine when its server fails", { protocol: "openai", model: MODEL, create: engineAt });

describe("the openai engine", () => {
  test.each([
    [undefined, false],
    ["sk-of-somebody", true],
  ])("with the key %s counts as paid: %s", (apiKey, isPaid) => {
    expect(engineAt("http://127.0.0.1:1", { apiKey }).isPaid).toBe(isPaid);
  });

  test("sends the prompt as it is, with all that the answer depends on", async () => {
    await using fake = await start();
    await engineAt(fake.url).generate(inputOf("<PRE>a"), { stop: ["\n"], maxTokens: 7 }, live());
    expect(fake.prompts()).toEqual([
      {
        ...{ model: MODEL, prompt: "<PRE>a", stream: true, max_tokens: 7, stop: ["\n"] },
        ...{ temperature: 0, seed: 0, logprobs: 1, stream_options: { include_usage: true } },
      },
    ]);
  });

  test("passes on how tokens are to be drawn", async () => {
    await using fake = await start();
    const sampling = { temperature: 0.7, seed: 1 };
    await engineAt(fake.url).generate(inputOf("p"), { stop: [], maxTokens: 1, sampling }, live());
    expect(fake.prompts()).toMatchObject([sampling]);
  });

  test("reports the tokens that the server had cached", async () => {
    await using fake = await start(["a", "b"]);
    const { usage } = await engineAt(fake.url).generate(inputOf("p"), short, live());
    expect(usage).toEqual({ promptTokens: FAKE_PROMPT_TOKENS, cachedTokens: 7, completionTokens: 2 });
  });

  test("sends four stops, ends at any other too, and leaves the server then", async () => {
    await using fake = await start(["al", "pha\n<", "EN", "D> beta"]);
    const stop = ["1", "2", "3", "4", "<END>"];
    const pieces: string[] = [];
    const generated = await engineAt(fake.url).generate(
      inputOf("p"),
      { stop, maxTokens: 9, onText: (text) => pieces.push(text) },
      live(),
    );
    const usage = { promptTokens: null, cachedTokens: null, completionTokens: null };
    expect(generated).toMatchObject({ text: "alpha\n", finish: "stop", usage });
    expect(pieces).toEqual(["al", "pha\n"]);
    expect(fake.prompts()).toMatchObject([{ stop: stop.slice(0, 4) }]);
    await fake.closed(0);
  });

  test("gives text back that only looked like a stop", async () => {
    await using fake = await start(["a <EN"]);
    const stop = ["<END>"];
    expect((await engineAt(fake.url).generate(inputOf("p"), { stop, maxTokens: 9 }, live())).text).toBe(
      "a <EN",
    );
  });

  test("tells routers the session and the request, in words a header can carry", async () => {
    await using fake = await start();
    const who = { sessionId: "Fenster ö\n1", requestId: "r-1" };
    await engineAt(fake.url).generate(inputOf("p", who), short, live());
    await engineAt(fake.url, { sessionHeader: "x-user-id" }).generate(inputOf("p", who), short, live());
    await engineAt(fake.url).generate(inputOf("p"), short, live());
    expect(fake.headers(0)).toMatchObject({ "x-session-id": "Fenster%20%C3%B6%0A1", "x-request-id": "r-1" });
    expect(fake.headers(1)).toMatchObject({ "x-user-id": "Fenster%20%C3%B6%0A1" });
    for (const header of ["x-session-id", "x-request-id", "x-session-token", "authorization"])
      expect(fake.headers(2)).not.toHaveProperty(header);
  });

  test("hands a router's session token back with the same session's next request", async () => {
    let asked = 0;
    await using router = await startFakeServer((_, response) => {
      response.setHeader("x-session-token", `pod-${++asked}`);
      response.end('data: {"choices":[{"text":"a","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    const engine = engineAt(router.url);
    for (const sessionId of ["a", "b", "a", "b"])
      await engine.generate(inputOf("p", { sessionId }), short, live());
    expect([0, 1, 2, 3].map((n) => router.headers(n)["x-session-token"])).toEqual([
      ...[undefined, undefined],
      ...["pod-1", "pod-2"],
    ]);
  });

  test("sends its key, and hides it where the server's words show it", async () => {
    const apiKey = "sk-very-secret";
    await using server = await startFakeServer((_, response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect API key: ${apiKey}` } }));
    });
    const engine = engineAt(server.url, { apiKey });
    const error = await engine.generate(inputOf("p"), short, live()).catch((e: unknown) => e);
    expect(error).toEqual(new UpstreamError("openai", "401 Incorrect API key: …", { status: 401 }));
    expect(await engine.health(live())).toEqual({ status: "down", detail: "401 Incorrect API key: …" });
    for (const n of [0, 1]) expect(server.headers(n).authorization).toBe(`Bearer ${apiKey}`);
  });

  test("asks again without what a server refuses, and never asks for it again", async () => {
    await using strict = await startFakeServer(({ body }, response) => {
      const refused = ["logprobs", "stream_options"].find((name) => name in (body as object));
      if (refused) response.writeHead(400).end(JSON.stringify({ error: `unknown field ${refused}` }));
      else response.end('data: {"choices":[{"text":"a","finish_reason":"length"}]}\n\n');
    });
    const engine = engineAt(strict.url);
    const first = await engine.generate(inputOf("p"), short, live());
    expect(first).toMatchObject({ text: "a", finish: "length", meanLogprob: null });
    expect(first.usage).toEqual({ promptTokens: null, cachedTokens: null, completionTokens: null });
    expect(strict.requests).toHaveLength(3);
    await engine.generate(inputOf("p"), short, live());
    expect(strict.requests).toHaveLength(4);
    expect(strict.requests[3]?.body).toMatchObject({ seed: 0 });
  });

  test("asks without a seed a server that refuses it, whatever the seed was", async () => {
    await using strict = await startFakeServer(({ body }, response) => {
      if ("seed" in (body as object)) response.writeHead(422).end('{"error": "unknown field seed"}');
      else response.end('data: {"choices":[{"text":"a","finish_reason":"length"}]}\n\n');
    });
    const sampling = { temperature: 0.7, seed: 2 };
    await engineAt(strict.url).generate(inputOf("p"), { ...short, sampling }, live());
    expect(strict.requests.map(({ body }) => body)).toMatchObject([{ seed: 2 }, { temperature: 0.7 }]);
    expect(strict.requests[1]?.body).not.toHaveProperty("seed");
  });

  test("gives up on a server that refuses for another reason", async () => {
    await using fake = await start();
    fake.become({ status: 400, words: "This model's maximum context length is 2048 tokens" });
    const failed = engineAt(fake.url).generate(inputOf("p"), short, live());
    await expect(failed).rejects.toThrow("openai: 400 This model's maximum context length is 2048 tokens");
    expect(fake.requests).toHaveLength(1);
  });

  test("reads log-probabilities as llama-server writes them", async () => {
    await using server = await startFakeServer((_, response) => {
      const logprobs = { content: [{ token: "a", logprob: -1 }] };
      const choices = [{ text: "a", finish_reason: "stop", logprobs }];
      response.end(`: ping\n\ndata: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
    });
    expect(await engineAt(server.url).generate(inputOf("p"), short, live())).toMatchObject({
      meanLogprob: -1,
    });
  });

  test("says so when the server gives the answer up", async () => {
    await using server = await startFakeServer((_, response) => {
      response.end('data: {"choices":[{"text":"a","finish_reason":"abort"}]}\n\n');
    });
    const failed = engineAt(server.url).generate(inputOf("p"), short, live());
    await expect(failed).rejects.toThrow("openai: the server ended the answer (abort)");
  });

  test("names the models of a server that lacks the one asked for", async () => {
    await using fake = await start();
    expect(await engineAt(fake.url).health(live())).toEqual({
      status: "ok",
      detail: `${MODEL} at ${fake.url}/v1`,
    });
    expect(await engineAt(fake.url, { model: "other" }).health(live())).toEqual({
      status: "down",
      detail: `model other is not served; served: ${MODEL}`,
    });
  });
});
