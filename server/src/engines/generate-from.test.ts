import { fimRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Engine, GenerateOptions } from "./engine.ts";
import { generateFrom } from "./generate-from.ts";

const live = () => new AbortController().signal;
const input = {
  prompt: "<P>const a =<M>",
  request: fimRequest.parse({ path: "a.ts", prefix: "const a = us" }),
};

/** An engine that writes these pieces, each of one token. */
function fakeEngine(pieces: readonly string[]) {
  const asked: GenerateOptions[] = [];
  const engine: Engine = {
    ...{ name: "llama-server", model: "fake", readsPrompt: true, obeysGrammar: true },
    async generate(_, options) {
      asked.push(options);
      for (const [i, piece] of pieces.entries()) options.onText?.(piece, [-i]);
      return {
        ...{ text: pieces.join(""), finish: "stop", meanLogprob: -1, confidence: null, firstTokenMs: 1 },
        usage: { promptTokens: 1, cachedTokens: 0, completionTokens: pieces.length },
      };
    },
    health: async () => ({ status: "ok", detail: "fake" }),
    warmUp: async () => {},
  };
  return { engine, asked };
}

test("leaves out the word that was typed, wherever tokens end", async () => {
  const { engine, asked } = fakeEngine([" ", "user", ".name"]);
  const said: unknown[] = [];
  const onText = (...piece: unknown[]) => said.push(piece);
  const generated = await generateFrom(engine, " us", input, { stop: ["\n"], maxTokens: 8, onText }, live());
  expect(generated).toMatchObject({ text: "er.name", finish: "stop" });
  expect(said).toEqual([
    ["er", [-1]],
    [".name", [-2]],
  ]);
  expect(asked).toMatchObject([{ grammar: 'root ::= " us" [^\\x00]*', stop: ["\n"], maxTokens: 8 }]);
});

test("says nothing of a text that ends inside the word", async () => {
  const { engine } = fakeEngine([" u"]);
  const generated = await generateFrom(engine, " us", input, { stop: [], maxTokens: 1 }, live());
  expect(generated).toMatchObject({ text: "", firstTokenMs: null });
});

test("a server that does not obey is a failing one", async () => {
  const { engine } = fakeEngine([" config"]);
  const said: string[] = [];
  const options = { stop: [], maxTokens: 8, onText: (piece: string) => said.push(piece) };
  await expect(generateFrom(engine, " us", input, options, live())).rejects.toThrow(
    "llama-server: the text does not begin as the grammar has it",
  );
  expect(said).toEqual([]);
});
