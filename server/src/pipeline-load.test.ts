/** The pipeline with many people who type and an engine that fails: does everybody get their own text, and what is left? */
import { fimRequest } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Call } from "./call.ts";
import { type CompletionDeps, complete } from "./complete.ts";
import { createOllamaEngine } from "./engines/ollama.ts";
import { createGenerations, type Generations } from "./generation/generations.ts";
import { createQueue, type Queue } from "./generation/queue.ts";
import { createWriter } from "./generation/writer.ts";
import { formatById } from "./prompt/fim-format.ts";
import { createLayouts } from "./prompt/layouts.ts";
import { createSessions, type Sessions } from "./sessions.ts";

const SESSIONS = 8;
/** Each is answered in its own way, over and over: never, in part, and well. Nobody waits for the first two. */
const KEYSTROKES = 13;
const kindOf = (keystroke: number) => (["well", "never", "in part"] as const)[keystroke % 3];
const ANSWERED_WELL = 4;
const MAX_TEXTS = 50;

let engine: Awaited<ReturnType<typeof startFakeServer>>;
let queue: Queue;
let generations: Generations<Call>;
let sessions: Sessions;
let deps: CompletionDeps;
let unhandled: unknown[];
const onUnhandled = (reason: unknown) => unhandled.push(reason);

beforeEach(async () => {
  engine = await startFakeServer(({ body }, response) => {
    const [, mark = "", typed = ""] = /(s\d+_)(y+)/.exec(JSON.stringify(body)) ?? [];
    const kind = kindOf(typed.length);
    const say = (text: string, done = false) =>
      response.write(`${JSON.stringify({ response: text, done, done_reason: "stop" })}\n`);
    if (kind === "never") return;
    say(mark);
    if (kind === "in part") return void response.destroy();
    say("answer(1);\nnext();\n");
    say("", true);
    response.end();
  });
  sessions = createSessions();
  generations = createGenerations<Call>({ maxEntries: MAX_TEXTS });
  queue = createQueue({ slots: () => SESSIONS, onWait: () => generations.releaseAll() });
  const ollama = createOllamaEngine({ host: engine.url, model: "m", numCtx: 2_048, keepAlive: "5m" });
  deps = {
    ...{ engine: () => ollama, queue: () => queue, writer: createWriter(generations) },
    ...{ layouts: createLayouts(), format: formatById("qwen")!, mode: "raw", repoName: "shop" },
    ...{ budgetTokens: 1_000, maxTokens: 20, definedIn: () => [] },
    retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  };
  unhandled = [];
  process.on("unhandledRejection", onUnhandled);
});
afterEach(async () => {
  process.off("unhandledRejection", onUnhandled);
  await engine[Symbol.asyncDispose]();
});

/** @returns the answer, or what became of the request instead */
async function ask(mark: string, keystroke: number, closed: AbortSignal): Promise<string> {
  const prefix = `const ${mark}${"y".repeat(keystroke)} = `;
  const request = fimRequest.parse({ path: `${mark}.ts`, sessionId: mark, prefix });
  // The last one is answered never, and no other takes its place.
  const session = sessions.begin(mark, closed, keystroke === KEYSTROKES ? 300 : 60_000);
  try {
    const options = { requestId: "r", takeOver: session.takeOver };
    return (await complete(request, deps, options, session.signal)).completion;
  } catch (error) {
    if (isAbortError(error)) return "given up";
    const isDeadline = error instanceof Error && error.name === "TimeoutError";
    if (isDeadline || error instanceof UpstreamError) return "failed";
    throw error;
  } finally {
    session.end();
  }
}

test("everybody is answered with their own text, and nothing is left of them", async () => {
  const typists = Array.from({ length: SESSIONS }, async (_, id) => {
    const mark = `s${id}_`;
    const well: string[] = [];
    const others: Promise<string>[] = [];
    for (let n = 1; n <= KEYSTROKES; n++) {
      const closed = new AbortController();
      const asked = ask(mark, n, closed.signal);
      if (kindOf(n) === "well") well.push(await asked);
      else others.push(asked);
      if (kindOf(n) === "in part") setImmediate(() => closed.abort());
    }
    return { well, own: `${mark}answer(1);`, others: await Promise.all(others) };
  });
  for (const { well, own, others } of await Promise.all(typists)) {
    expect(well).toEqual(Array(ANSWERED_WELL).fill(own));
    expect(others.filter((text) => text !== "given up" && text !== "failed")).toEqual([]);
  }

  generations.releaseAll();
  await expect.poll(() => [queue.running, queue.waiting]).toEqual([0, 0]);
  expect(sessions.size).toBe(0);
  expect(Array.from({ length: SESSIONS }, (_, id) => generations.live(`s${id}_`)).flat()).toEqual([]);
  // With what stood around them.
  expect(generations.size).toBeLessThan(MAX_TEXTS * 200);
  expect(unhandled).toEqual([]);
});
