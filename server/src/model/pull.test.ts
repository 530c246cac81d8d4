import { type PullProgress, pullProgress } from "@dhi/core/config-protocol";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Served, serve } from "../testing/serve.ts";

/** Lines of Ollama's answer. */
let lines: readonly object[];
/** Whether it ends after them. */
let ends: boolean;
let ollama: FakeServer;
let server: Served;
beforeEach(async () => {
  ends = true;
  ollama = await startFakeServer(({ path }, response) => {
    if (path !== "/api/pull") return void response.end("{}");
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    if (ends) response.end();
  });
  server = await serve({ OLLAMA_HOST: ollama.url, ENGINE: "instant" });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await ollama[Symbol.asyncDispose]();
});

const post = (body: object, signal?: AbortSignal) =>
  fetch(`${server.url}/v1/models/pull`, {
    method: "POST",
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const events = async (response: Response): Promise<unknown[]> =>
  (await response.text())
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.replace(/^data: /, "")));

test("tells how much of all layers is there, and that it is done", async () => {
  lines = [
    { status: "pulling manifest" },
    { status: "pulling a", digest: "a", total: 100 },
    { status: "pulling a", digest: "a", total: 100, completed: 100 },
    { status: "pulling b", digest: "b", total: 50, completed: 50 },
    { status: "success" },
  ];
  const told = (await events(await post({ model: "qwen" }))).map((event) => pullProgress.parse(event));
  expect(told[0]).toEqual({ status: "pulling manifest", completed: 0, total: 0, done: false });
  expect(told.at(-1)).toEqual({
    status: "success",
    completed: 150,
    total: 150,
    done: true,
  } satisfies PullProgress);
  expect(ollama.requests.find(({ path }) => path === "/api/pull")?.body).toEqual({
    model: "qwen",
    stream: true,
  });
});

test.each([
  [
    "a model that nobody has",
    [{ status: "pulling manifest" }, { error: "file does not exist" }],
    "file does not exist",
  ],
  [
    "a stream that breaks off",
    [{ status: "pulling a", digest: "a", total: 9, completed: 3 }],
    "before the model was whole",
  ],
])("%s ends in an error that says so", async (_, answer, words) => {
  lines = answer;
  const told = await events(await post({ model: "qwen" }));
  expect(told.at(-1)).toMatchObject({ error: { code: "upstream", message: expect.stringContaining(words) } });
});

test("who hangs up ends the pull", async () => {
  lines = [{ status: "pulling a", digest: "a", total: 9, completed: 3 }];
  ends = false;
  const controller = new AbortController();
  const response = await post({ model: "qwen" }, controller.signal);
  await response.body?.getReader().read();
  controller.abort();
  await ollama.closed(ollama.requests.findIndex(({ path }) => path === "/api/pull"));
});

test("an Ollama that is away is an error with a status of its own, and a model must be named", async () => {
  await ollama[Symbol.asyncDispose]();
  const response = await post({ model: "qwen" });
  expect([response.status, await response.json()]).toMatchObject([502, { error: { code: "upstream" } }]);
  expect((await post({})).status).toBe(400);
  ollama = await startFakeServer((_, answer) => void answer.end());
});
