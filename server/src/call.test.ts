import { type EngineName, fimRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { planCall } from "./call.ts";
import type { CompletionDeps } from "./complete.ts";
import type { Engine, Generated, GenerateOptions } from "./engines/engine.ts";
import { createGenerations } from "./generation/generations.ts";
import { createQueue } from "./generation/queue.ts";
import { createWriter } from "./generation/writer.ts";
import { formatById } from "./prompt/fim-format.ts";
import { createLayouts } from "./prompt/layouts.ts";
import { type Stage, stopwatch } from "./stopwatch.ts";

const live = () => new AbortController().signal;

interface Asked extends Pick<GenerateOptions, "grammar" | "stop" | "maxTokens"> {
  readonly prompt: string;
}

/** @returns what an engine of this kind was asked, one by one, and what the first line of the answer is */
async function ask(kind: EngineName, format: string, writes: (asked: Asked) => string, prefix: string) {
  const asked: Asked[] = [];
  const engine: Engine = {
    ...{ name: kind, model: "fake", readsPrompt: kind !== "instant", obeysGrammar: kind === "llama-server" },
    async generate({ prompt }, { onText, ...options }, signal): Promise<Generated> {
      const one = { prompt, ...options };
      asked.push(one);
      const text = writes(one);
      for (const character of text) {
        onText?.(character);
        signal.throwIfAborted();
      }
      const usage = { promptTokens: null, cachedTokens: null, completionTokens: null };
      return { text, usage, finish: "stop", meanLogprob: null, confidence: null, firstTokenMs: null };
    },
    health: async () => ({ status: "ok", detail: "fake" }),
    warmUp: async () => {},
  };
  const queue = createQueue({ slots: () => 1 });
  const deps: CompletionDeps = {
    ...{ engine: () => engine, queue: () => queue, writer: createWriter(createGenerations()) },
    ...{ layouts: createLayouts(), format: formatById(format)!, mode: "raw", repoName: "shop" },
    ...{ budgetTokens: 1_000, maxTokens: 20, definedIn: () => [] },
    retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  };
  const request = fimRequest.parse({ path: "a.ts", prefix, suffix: "\n}" });
  const laps: Stage[] = [];
  const watch = { ...stopwatch(), lap: (stage: Stage) => void laps.push(stage) };
  const plan = planCall(request, deps, { session: "s", mode: "raw", watch, maxTokens: 20 });
  const order = { ...plan, enough: (text: string) => text.includes("\n"), takeOver() {} };
  const { text } = await deps.writer.write(order, live());
  return { asked, text, laps };
}

const prompts = (asked: readonly Asked[]) => asked.map(({ prompt }) => prompt);

test("llama-server is told how the text begins, and reads the prompt before the word", async () => {
  const { asked, text } = await ask("llama-server", "qwen", () => " user;\n", "const a = us");
  expect(asked).toMatchObject([
    {
      prompt: "<|fim_prefix|>const a =<|fim_suffix|>\n}<|fim_middle|>",
      grammar: 'root ::= " us" [^\\x00]*',
    },
  ]);
  expect(text).toBe("er;\n");
});

test.each<[EngineName]>([["ollama"], ["openai"]])(
  "%s gets a begun word as it is, for a model trained on gaps between characters",
  async (kind) => {
    const { asked, text } = await ask(kind, "qwen", () => "er;\n", "const a = us");
    expect(prompts(asked)).toEqual(["<|fim_prefix|>const a = us<|fim_suffix|>\n}<|fim_middle|>"]);
    expect([asked[0]?.grammar, text]).toEqual([undefined, "er;\n"]);
  },
);

test.each<[EngineName]>([["ollama"], ["openai"]])(
  "%s is tried before the word, for a model trained on gaps between tokens",
  async (kind) => {
    const { asked, text } = await ask(kind, "codellama", () => " user;\n", "const a = us");
    expect(prompts(asked)).toEqual(["<PRE> const a = <SUF>\n} <MID>"]);
    expect(text).toBe("er;\n");
  },
);

test.each<[EngineName]>([["ollama"], ["openai"]])(
  "%s is asked once more when the model begins another word",
  async (kind) => {
    const writes = ({ prompt }: Asked) => (prompt.includes("us") ? "er;\n" : " config;\n");
    const { asked, text, laps } = await ask(kind, "codellama", writes, "const a = us");
    expect(prompts(asked)).toEqual(["<PRE> const a = <SUF>\n} <MID>", "<PRE> const a = us <SUF>\n} <MID>"]);
    expect(text).toBe("er;\n");
    // What the first call took is no waiting for the second.
    expect(laps).toEqual(["engine", "retrieval", "prompt", "queue", "engine", "queue"]);
  },
);

test("the tier without a model reads the editor's text", async () => {
  const { asked, text } = await ask("instant", "codellama", () => "er;\n", "const a = us");
  expect(asked).toHaveLength(1);
  expect(text).toBe("er;\n");
});
