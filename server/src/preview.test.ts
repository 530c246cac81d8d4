import { setImmediate } from "node:timers/promises";
import { type FimPiece, type FimPreview, type FimRequestInput, fimRequest } from "@dhi/core/protocol";
import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import type { Call } from "./call.ts";
import { type CompletionDeps, complete } from "./complete.ts";
import type { Engine, Generated } from "./engines/engine.ts";
import { createGenerations } from "./generation/generations.ts";
import { createQueue } from "./generation/queue.ts";
import { createWriter } from "./generation/writer.ts";
import { formatById } from "./prompt/fim-format.ts";
import { createLayouts } from "./prompt/layouts.ts";
import { deferred } from "./testing/deferred.ts";

const live = () => new AbortController().signal;
const generated = (text: string): Generated => ({
  ...{ text, finish: "stop", meanLogprob: null, confidence: null, firstTokenMs: null },
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
});

/** A model that writes when the test lets it, beside a tier that guesses `preview` at every place. */
function setUp(preview: string, changed: Partial<Engine> = {}) {
  const writes: ((text: string) => void)[] = [];
  const guessed: string[] = [];
  const engine: Engine = {
    ...{ name: "ollama", model: "fake", readsPrompt: true },
    async preview({ prefix }): Promise<FimPreview> {
      guessed.push(prefix);
      return { preview, confidence: 0.9 };
    },
    async generate(_, { onText }) {
      const { promise, resolve } = deferred<string>();
      writes.push(resolve);
      const text = await promise;
      onText?.(text);
      return generated(text);
    },
    health: async () => ({ status: "ok", detail: "fake" }),
    warmUp: async () => {},
    ...changed,
  };
  const queue = createQueue({ slots: () => 1 });
  const deps: CompletionDeps = {
    ...{ engine: () => engine, queue: () => queue, writer: createWriter<Call>(createGenerations()) },
    ...{ layouts: createLayouts(), format: formatById("qwen")!, mode: "raw", repoName: "shop" },
    ...{ budgetTokens: 1_000, maxTokens: 20, definedIn: () => [], asksAhead: false },
    retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  };
  return {
    guessed,
    ask(source: string, wanted: Partial<FimRequestInput> = {}, onPreview?: () => void) {
      const pieces: FimPiece[] = [];
      const options = {
        ...{ requestId: "r", takeOver() {} },
        onText: (text: string) => pieces.push({ text }),
        onPreview: onPreview ?? ((piece: FimPreview) => pieces.push(piece)),
      };
      const request = fimRequest.parse({ path: "a.ts", ...atCursor(source), ...wanted });
      return { pieces, done: complete(request, deps, options, live()) };
    },
    async write(text: string) {
      await expect.poll(() => writes.length).toBeGreaterThan(0);
      writes.shift()?.(text);
    },
  };
}

const total = { preview: "total(", confidence: 0.9 };

test("is sent while the model has written nothing, and then the model's text is", async () => {
  const { ask, write } = setUp("total(");
  const { pieces, done } = ask("x = █");
  await expect.poll(() => pieces).toEqual([total]);
  await write("top()\n");
  expect(await done).toMatchObject({ completion: "top()", engine: "ollama", confidence: null });
  expect(pieces).toEqual([total, { text: "top()" }]);
});

test("stands where the model has nothing to say", async () => {
  const { ask, write } = setUp("total(");
  const { pieces, done } = ask("x = █");
  await expect.poll(() => pieces).toEqual([total]);
  await write("  ");
  expect(await done).toMatchObject({
    ...{ completion: "total(", reason: "ok", engine: "instant", model: "n-gram", confidence: 0.9 },
  });
  expect(pieces).toEqual([total, { text: "total(" }]);
});

test.each([
  [
    "stands where the model's text says nothing of the place",
    "sk-proj-Abcd1234Efgh5678Ijkl9012Mnop",
    "x = █",
    "ok",
    "total(",
  ],
  ["stands where the model only talks", "Here is the code:", "x = █", "ok", "total("],
  [
    "is withdrawn where the model goes on with what is below",
    "\nreturn a;\n",
    "x = a█\nreturn a;\n",
    "multi-line",
    "",
  ],
  [
    "is withdrawn where the model goes on with what is right",
    "b, c);\n",
    "f(█b, c);\n",
    "repeats-suffix",
    "",
  ],
])("%s", async (_, text, source, reason, completion) => {
  const { ask, write } = setUp("total(");
  const { pieces, done } = ask(source);
  await expect.poll(() => pieces).toEqual([total]);
  await write(text);
  expect(await done).toMatchObject({ completion, reason });
});

test("is none when it can't be sent", async () => {
  const { ask, write } = setUp("total(");
  let tries = 0;
  const { done } = ask("x = █", {}, () => {
    tries++;
    throw new Error("hung up");
  });
  await expect.poll(() => tries).toBe(1);
  await write("  ");
  expect(await done).toMatchObject({ completion: "", reason: "blank", engine: "ollama" });
});

test("that stands says nothing of how sure the model was of its own text", async () => {
  const model = deferred<Generated>();
  const { ask } = setUp("total(", { generate: () => model.promise });
  const { pieces, done } = ask("x = █");
  await expect.poll(() => pieces).toEqual([total]);
  model.resolve({ ...generated("  "), meanLogprob: -0.3 });
  expect(await done).toMatchObject({ completion: "total(", meanLogprob: null });
});

test("is not made where an earlier call has the text already", async () => {
  const { ask, write, guessed } = setUp("total(");
  const first = ask("x = █");
  await write("top()\n");
  await first.done;
  const { pieces, done } = ask("x = t█");
  await done;
  await setImmediate();
  expect([pieces, guessed]).toEqual([[{ text: "op()" }], ["x = "]]);
});

test("is not made once the model has begun", async () => {
  const { ask, guessed } = setUp("total(", { generate: async () => generated("top()") });
  const { pieces, done } = ask("x = █");
  await done;
  await setImmediate();
  expect([pieces, guessed]).toEqual([[{ text: "top()" }], []]);
});

test("is not made by an engine that has no model to wait for", async () => {
  const { ask, write, guessed } = setUp("total(", { name: "instant", readsPrompt: false });
  const { done } = ask("x = █");
  await write("top()");
  await done;
  expect(guessed).toEqual([]);
});

test.each([
  ["is cut", "total(a))", "x = f(█)", [{ preview: "total(a)", confidence: 0.9 }]],
  ["is not sent", ")", "x = f(█)", []],
])("what post-processing would not show of it %s", async (_, preview, source, sent) => {
  const { ask, write } = setUp(preview);
  const { pieces, done } = ask(source);
  await setImmediate();
  expect(pieces).toEqual(sent);
  await write("");
  await done;
});
