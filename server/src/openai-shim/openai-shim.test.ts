import { indexDir } from "@dhi/core/index-db";
import { openaiCompletion, openaiModels } from "@dhi/core/openai-protocol";
import type { FakeServer } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeOllama } from "../testing/fake-ollama.ts";
import { seedIndex } from "../testing/seed-index.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";
import { toFimRequest } from "./to-fim-request.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const FILE = [
  "def weighted_price(item, factor):",
  "    base_price = item.price * factor",
  "    rounded_price = round(base_price, 2)",
  "    return rounded_price",
  "",
].join("\n");
/** What Zed sends today, no field more. */
const zed = (prompt: string) => ({
  model: "whatever",
  prompt,
  max_tokens: 64,
  stop: ["<|endoftext|>", "<|fim_pad|>"],
});

let repo: TempRepo;
let ollama: FakeServer;
let server: Served;
let written: string;

beforeAll(async () => {
  repo = tempRepo();
  ollama = await startFakeOllama({
    [MODEL]: {
      shown: shownModels.qwen,
      get answer() {
        return written;
      },
    },
  });
  server = await serve({ OLLAMA_HOST: ollama.url, ENGINE: "ollama", WORKSPACE: repo.dir }, (home) =>
    seedIndex(indexDir(home, repo.dir), [
      { path: "shop/prices.py", text: `IMPORTED = 1\n\n${FILE}`, language: "python" },
      { path: "shop/other.py", text: "def other(item, factor):\n    return item\n", language: "python" },
    ]).close(),
  );
  written = "+ b";
});
afterAll(async () => {
  for (const one of [server, ollama]) await one[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});

const post = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1/completions`, { method: "POST", body: JSON.stringify(body), headers });
const complete = async (body: object, headers: Record<string, string> = {}) =>
  openaiCompletion.parse(await (await post(body, headers)).json());
/** What the model was asked last, but for the server's own test of it. */
const prompt = () =>
  ollama.requests
    .map(({ body }) => (body as { prompt?: string } | undefined)?.prompt ?? "")
    .findLast((text) => text.includes("<|repo_name|>shop"));

test("answers prompt and suffix with every field that Zed wants", async () => {
  written = "a + b";
  const answer = await complete({
    model: "gpt",
    prompt: "def add(a, b):\n    return ",
    suffix: "\n",
    temperature: 1,
  });
  expect(answer).toEqual({
    ...{ id: expect.stringMatching(/^cmpl-/), object: "text_completion", model: MODEL },
    created: expect.any(Number),
    choices: [{ index: 0, text: "a + b", logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  });
  expect(Math.abs(answer.created - Date.now() / 1000)).toBeLessThan(60);
  expect(prompt()).toMatch(
    /<\|fim_prefix\|>def add\(a, b\):\n {4}return <\|fim_suffix\|>\n<\|fim_middle\|>$/,
  );
});

test("renders a prompt of another family anew for its own model", async () => {
  written = "sum(one)";
  const { choices } = await complete(zed("<fim_prefix>x = <fim_suffix>\ny = 1\n<fim_middle>"));
  expect(choices[0]?.text).toBe("sum(one)");
  expect(prompt()).toMatch(/<\|fim_prefix\|>x = <\|fim_suffix\|>\ny = 1\n<\|fim_middle\|>$/);
  expect(prompt()).not.toContain("<fim_prefix>");
});

describe("the file", () => {
  const inFile = FILE.replace("    return rounded_price\n", "");

  test("is found by its lines when no path is sent, and what it has around them is known too", async () => {
    written = "return rounded_price";
    await complete(zed(`<|fim_prefix|>${inFile}    <|fim_suffix|><|fim_middle|>`));
    expect(prompt()).toContain(
      "<|file_sep|>shop/prices.py\n<|fim_prefix|>IMPORTED = 1\n\ndef weighted_price(",
    );
  });

  test.each([
    ["field", { path: "lib/new.py" }, {}],
    ["header", {}, { "x-dhi-path": "lib/new.py" }],
  ])("is what the %s says", async (_, body, headers) => {
    written = "return 1";
    await complete({ ...zed(inFile), suffix: `\n# ${Object.keys(body).length}`, ...body }, { ...headers });
    expect(prompt()).toContain("<|file_sep|>lib/new.py\n");
  });

  test("stays unnamed when its lines are in no file", async () => {
    written = "1";
    await complete(zed("<|fim_prefix|>nothing_like_it = <|fim_suffix|><|fim_middle|>"));
    expect(prompt()).toContain("untitled\n");
  });
});

describe("a stream", () => {
  const streamed = async (body: object) => {
    const text = await (await post({ ...body, stream: true })).text();
    const lines = text
      .trim()
      .split("\n\n")
      .map((line) => line.replace(/^data: /, ""));
    expect(lines.at(-1)).toBe("[DONE]");
    return lines.slice(0, -1).map((line) => openaiCompletion.parse(JSON.parse(line)));
  };

  test("is chunks, the last of which has the reason and the usage, and then [DONE]", async () => {
    written = "first + second";
    const chunks = await streamed({ prompt: "streamed = ", suffix: "" });
    expect(chunks.map(({ choices }) => choices[0]?.text).join("")).toBe("first + second");
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason).slice(0, -1)).not.toContain("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "stop" }], usage: { total_tokens: 7 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("ends at the client's own stops, as the whole answer does", async () => {
    written = "first + second";
    const body = { prompt: "stopped = ", suffix: "", stop: ["sec", "never"] };
    expect((await streamed(body)).map(({ choices }) => choices[0]?.text).join("")).toBe("first + ");
    expect((await complete(body)).choices[0]?.text).toBe("first + ");
  });

  test("that cannot begin is an error with a status of its own", async () => {
    const response = await post({ prompt: 1, stream: true });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: "bad_request" } }]);
  });
});

test("nothing to show is an empty text, not an error", async () => {
  written = "   \n";
  expect((await complete({ prompt: "empty = ", suffix: "" })).choices[0]).toMatchObject({ text: "" });
});

test("a prompt for Zed's own models is refused with the setting to make", async () => {
  const response = await post(zed("<[fim-suffix]>x<[fim-prefix]>a <|user_cursor|> b<[fim-middle]>rewrite"));
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: "unknown_prompt_format", hint: expect.stringContaining('"prompt_format": "qwen"') } },
  ]);
});

test("more stops than OpenAI takes are fine, and several answers are not made", async () => {
  written = "1";
  const stop = Array.from({ length: 14 }, (_, i) => `<stop${i}>`);
  expect((await post({ prompt: "many = ", stop })).status).toBe(200);
  expect((await post({ prompt: "many = ", n: 2 })).status).toBe(400);
});

test("a header that is too long is named, and an empty one, as an empty user, is none", async () => {
  const response = await post({ prompt: "long = " }, { "x-session-id": "s".repeat(201) });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: "bad_request", message: expect.stringMatching(/^x-session-id: /) } },
  ]);
  written = "1";
  const headers = { "x-session-id": "", "x-dhi-path": "" };
  expect((await complete({ prompt: "empty header = " }, headers)).choices[0]?.text).toBe("1");
  const body = { prompt: "a", suffix: "", path: "a.ts", user: "" };
  expect(toFimRequest(body, headers, { placeOf: () => expect.fail() })).toEqual({
    ...{ prefix: "a", suffix: "", path: "a.ts" },
  });
});

test("the list of models is the one that completes", async () => {
  const { data } = openaiModels.parse((await server.get("/v1/models")).body);
  expect(data.map(({ id }) => id)).toEqual([MODEL]);
});
