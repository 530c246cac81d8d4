import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configResponse } from "@dhi/core/config-protocol";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";

const BASE = "qwen2.5-coder:1.5b-base";
let library: Record<string, FakeModel>;
let stall: (model: string) => Promise<void>;
let ollama: FakeServer;
let server: Served;

beforeEach(async () => {
  stall = async () => {};
  library = {
    [BASE]: { shown: shownModels.qwen, size: 986, answer: "qwen" },
    "starcoder2:3b": { shown: shownModels.starcoder2, size: 1700, answer: "star" },
    "our-chat": { shown: shownModels.smollm2 },
    "our-coder": { shown: shownModels.deepseek, answer: "deep" },
    embed: { shown: shownModels.allMinilm },
  };
  ollama = await startFakeOllama(library, (model) => stall(model));
  server = await serve({ OLLAMA_HOST: ollama.url, ENGINE: "ollama" });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await ollama[Symbol.asyncDispose]();
});

const put = (body: unknown) => server.send("PUT", "/v1/config", body);
const config = async () => configResponse.parse((await server.get("/v1/config")).body);
/** @returns the last event of an answer */
const complete = async (prefix: string, more: object = {}) => {
  const { body } = await server.send("POST", "/v1/fim", { path: "a.ts", prefix, ...more });
  if (typeof body !== "string") return body;
  return JSON.parse(
    body
      .trim()
      .split("\n\n")
      .at(-1)
      ?.replace(/^data: /, "") ?? "",
  );
};

test("says what completes, what it can be changed to, and which of Ollama's models can infill", async () => {
  // On a busy machine not all of them are looked at in time; then the next answer knows more.
  await expect.poll(config).toEqual({
    ...{ model: BASE, mode: "rag", engine: "ollama" },
    ...{ engines: ["ollama", "instant"], modes: ["raw", "simple", "symbols", "rag"] },
    models: [
      { name: BASE, bytes: 986, canInfill: true },
      { name: "starcoder2:3b", bytes: 1700, canInfill: true },
      { name: "our-chat", bytes: 1, canInfill: null },
      { name: "our-coder", bytes: 1, canInfill: true },
      { name: "embed", bytes: 1, canInfill: false },
    ],
  });
});

test("changes what is named and leaves the rest, for the next request on", async () => {
  expect(await complete("return 1 ")).toMatchObject({ completion: "qwen", model: BASE, mode: "rag" });
  const { status, body } = await put({ model: "starcoder2:3b", mode: "simple" });
  expect([status, body]).toMatchObject([200, { model: "starcoder2:3b", mode: "simple", engine: "ollama" }]);
  expect(await complete("return 2 ")).toMatchObject({
    ...{ completion: "star", model: "starcoder2:3b", format: "starcoder2", mode: "simple" },
  });
  expect((await server.get("/v1/status")).body).toMatchObject({
    ...{ engine: { model: "starcoder2:3b", format: "starcoder2" }, mode: "simple" },
  });
  expect(await complete("return 3 ", { mode: "raw" })).toMatchObject({ mode: "raw" });
  await put({ mode: "symbols" });
  expect(await config()).toMatchObject({ model: "starcoder2:3b", mode: "symbols" });
});

test("what one model wrote is no answer of another", async () => {
  expect(await complete("return ")).toMatchObject({ completion: "qwen", reuse: "none" });
  expect(await complete("return ")).toMatchObject({ completion: "qwen", reuse: "cached" });
  await put({ model: "our-coder" });
  expect(await complete("return ")).toMatchObject({ completion: "deep", reuse: "none" });
  await put({ model: BASE });
  expect(await complete("return ")).toMatchObject({ completion: "qwen", model: BASE });
});

test("a request that has begun ends with the model it began with", async () => {
  const held = deferred<void>();
  stall = () => held.promise;
  const answer = complete("return ");
  const isAsked = () => ollama.requests.some(({ body }) => JSON.stringify(body ?? "").includes("return "));
  await expect.poll(isAsked).toBe(true);
  expect((await put({ model: "starcoder2:3b" })).status).toBe(200);
  held.resolve();
  expect(await answer).toMatchObject({ completion: "qwen", model: BASE, format: "qwen" });
});

describe("changes nothing", () => {
  const settings = async () => ({ ...(await config()), models: undefined });
  let before: unknown;
  beforeEach(async () => {
    before = await settings();
  });
  afterEach(async () => {
    expect(await settings()).toEqual(before);
  });
  const refused = async (body: unknown) => {
    const { status, body: answer } = await put(body);
    return { status, ...(answer as { error: { code: string; message: string; hint: string } }).error };
  };

  test.each([
    ["our-chat", /"our-chat" cannot fill in the middle: its vocabulary has no tokens for it/],
    ["embed", /Ollama says that its use is embedding/],
  ])("for %s, which cannot infill, and names those that can", async (model, words) => {
    expect(await refused({ model, mode: "raw", engine: "instant" })).toEqual({
      ...{ status: 409, code: "cannot_infill", message: expect.stringMatching(words) },
      hint: `Ollama has ${BASE}, starcoder2:3b, our-coder.`,
    });
  });

  test("for a model that is not there, and says how to get it", async () => {
    expect(await refused({ model: "codegemma:2b" })).toEqual({
      ...{ status: 409, code: "model_missing", message: "model: Ollama does not have codegemma:2b" },
      hint: "ollama pull codegemma:2b",
    });
  });

  test("for an engine that the server was started without", async () => {
    expect(await refused({ engine: "openai", mode: "raw" })).toEqual({
      ...{ status: 409, code: "engine_not_set_up" },
      message: "engine: this server was started without openai; it has ollama, instant",
      hint: "Start it with OPENAI_BASE_URL, or with ENGINE=openai.",
    });
  });

  test("for a mode that the model's profile excludes", async () => {
    writeFileSync(join(server.home, "models.json"), JSON.stringify({ "our-*": { mode: "simple" } }));
    expect(await refused({ model: "our-coder", mode: "rag" })).toMatchObject({
      ...{ status: 409, code: "mode_not_supported", hint: expect.stringContaining("raw, simple") },
    });
  });

  test("for profiles that cannot be read", async () => {
    writeFileSync(join(server.home, "models.json"), "{");
    expect(await refused({ model: "our-coder" })).toMatchObject({ status: 409, code: "bad_settings" });
  });

  test("for a bad body, of which every bad field is named", async () => {
    const { status, message } = await refused({ model: "", mode: "all", engine: "gpt", tokens: 1 });
    expect(status).toBe(400);
    expect(message).toMatch(/model: .*mode: .*engine: .*body: Unrecognized key: "tokens"/);
  });
});

test("another engine answers from the next request on, and what was set can be set again", async () => {
  await put({ engine: "instant" });
  expect(await complete("return ")).toMatchObject({ engine: "instant" });
  expect(await config()).toMatchObject({ model: BASE, engine: "instant" });
  await put({ engine: "ollama" });
  expect(await complete("return ")).toMatchObject({ engine: "ollama", completion: "qwen" });
});

test("a format that the settings give is FIM_MODEL's alone", async () => {
  await using chosen = await serve({
    ...{ OLLAMA_HOST: ollama.url, ENGINE: "ollama", FIM_MODEL: "our-chat", FIM_FORMAT: "starcoder2" },
  });
  const formatOf = async (model: string) => {
    const { status } = await chosen.send("PUT", "/v1/config", { model });
    const { body } = await chosen.send("POST", "/v1/prompt", { path: "a.ts", prefix: "return " });
    return [status, (body as { format: string }).format];
  };
  expect(await formatOf("our-coder")).toEqual([200, "deepseek"]);
  // What is known of it would refuse it.
  expect(await formatOf("our-chat")).toEqual([200, "starcoder2"]);
});

test("nothing asked for changes nothing", async () => {
  const { models: _, ...before } = await config();
  expect(await put({})).toMatchObject({ status: 200, body: before });
});

test("with Ollama away a name that tells enough is taken, and no models are listed", async () => {
  await ollama[Symbol.asyncDispose]();
  expect((await put({ model: "codegemma:2b" })).status).toBe(200);
  expect(await config()).toMatchObject({ model: "codegemma:2b", models: [] });
  expect((await put({ model: "llama3.2:1b" })).status).toBe(409);
  ollama = await startFakeServer((_, response) => void response.end());
});

test("changes come one after the other, and the last one counts", async () => {
  const models = ["starcoder2:3b", "our-coder", BASE, "starcoder2:3b", "our-coder"];
  await Promise.all(models.map((model) => put({ model })));
  expect((await config()).model).toBe("our-coder");
  expect(await complete("return ")).toMatchObject({ completion: "deep", model: "our-coder" });
});
