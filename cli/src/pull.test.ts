import type { ServerResponse } from "node:http";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dhi } from "./dhi.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const GB = 1e9;
const at = (status: string, completed: number, total: number, done = false) => ({
  status,
  completed,
  total,
  done,
});
const EVENTS = [
  at("pulling manifest", 0, 0),
  ...Array.from({ length: 41 }, (_, i) => at("pulling 29d8c98fa6b0", (i / 40) * GB, GB)),
  at("success", GB, GB, true),
];

let answer: (response: ServerResponse) => void;
let fake: FakeServer;
beforeEach(async () => {
  fake = await startFakeServer((_, response) => answer(response));
});
afterEach(() => fake[Symbol.asyncDispose]());

const sends =
  (...events: object[]) =>
  (response: ServerResponse) =>
    void response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

async function run(args: readonly string[], { isTTY = false, onShown = (_stop: () => void) => {} } = {}) {
  const interrupted = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const shown: string[] = [];
  const exit = await dhi(["model", ...args], {
    ...{ cwd: "/", env: { DHI_URL: fake.url }, interrupted: () => interrupted.signal },
    print: (text) => void out.push(text),
    complain: (text) => void err.push(text),
    progress: isTTY
      ? (line) => {
          shown.push(line);
          onShown(() => interrupted.abort());
        }
      : undefined,
  });
  return { exit, out, err, shown };
}

test("on a terminal one line shows how far it is, and goes in the end", async () => {
  answer = sends(...EVENTS);
  const { exit, out, shown } = await run(["--pull", MODEL], { isTTY: true });
  expect(fake.requests).toEqual([{ method: "POST", path: "/v1/models/pull", body: { model: MODEL } }]);
  expect(exit).toBe(0);
  expect(out).toEqual([`Ollama has ${MODEL} now. To complete with it: dhi model ${MODEL}`]);
  expect(shown).toHaveLength(EVENTS.length + 1);
  expect([shown[0], shown[21], shown.at(-1)]).toEqual([
    "pulling manifest",
    "[############............] 0.50 of 1.00 GB: pulling 29d8c98fa6b0",
    "",
  ]);
});

test("elsewhere there is a line for each state and each tenth of it", async () => {
  answer = sends(...EVENTS);
  const { exit, out } = await run([MODEL, "--pull"]);
  expect(exit).toBe(0);
  expect(out).toHaveLength(1 + 11 + 1 + 1);
  expect(out[0]).toBe(`${MODEL}: pulling manifest`);
  expect(out[2]).toBe(`${MODEL}: [##......................] 0.10 of 1.00 GB: pulling 29d8c98fa6b0`);
});

test("as JSON each event is a line", async () => {
  answer = sends(...EVENTS);
  const { out } = await run(["--pull", MODEL, "--json"]);
  expect(out.map((line) => JSON.parse(line))).toEqual(EVENTS);
});

test("an interrupt leaves the stream, which stops the pull, and says that nothing is lost", async () => {
  answer = (response) => void response.write(`data: ${JSON.stringify(EVENTS[3])}\n\n`);
  const { exit, err } = await run(["--pull", MODEL], { isTTY: true, onShown: (stop) => stop() });
  await fake.closed(0);
  expect(exit).toBe(1);
  expect(err).toEqual([
    `dhi: stopped. What there is of ${MODEL} is kept, and the next pull goes on from there.`,
  ]);
});

test("a pull that fails in its stream ends with Ollama's words", async () => {
  const message = "ollama: pull model manifest: file does not exist";
  answer = sends(...EVENTS.slice(0, 3), { error: { code: "upstream", message } });
  expect(await run(["--pull", "none"])).toMatchObject({ exit: 3, err: [`dhi: ${message}`] });
});

test("on a terminal what was shown goes before the words of a failure", async () => {
  answer = sends(...EVENTS.slice(0, 3), { error: { code: "upstream", message: "ollama: no space left" } });
  const { err, shown } = await run(["--pull", MODEL], { isTTY: true });
  expect(err).toEqual(["dhi: ollama: no space left"]);
  expect(shown).toHaveLength(4);
  expect(shown.at(-1)).toBe("");
});

test("a name that is missing, a token that is wanted and a server that is away are told apart", async () => {
  expect(await run(["--pull"])).toMatchObject({
    exit: 2,
    err: [expect.stringMatching(/--pull wants the name/)],
  });
  answer = (response) =>
    void response
      .writeHead(401)
      .end(JSON.stringify({ error: { code: "unauthorized", message: "no token" } }));
  expect(await run(["--pull", MODEL])).toMatchObject({ exit: 3, err: ["dhi: no token", expect.any(String)] });
  answer = (response) => {
    response.write(`data: ${JSON.stringify(EVENTS[1])}\n\n`);
    setImmediate(() => response.destroy());
  };
  expect(await run(["--pull", MODEL])).toMatchObject({
    ...{ exit: 3, err: [expect.stringMatching(/^dhi: no answer from /), expect.any(String)] },
  });
});
