import { promptRequest, promptResponse } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { dryRun } from "./dry-run.ts";
import type { Engine } from "./engines/engine.ts";
import { formatById } from "./prompt/fim-format.ts";
import { createLayouts } from "./prompt/layouts.ts";

/** An engine that nobody may call. */
const fakeEngine = (obeysGrammar: boolean): Engine => ({
  ...{ name: "llama-server", model: "fake", readsPrompt: true, obeysGrammar },
  generate: async () => expect.unreachable(),
  health: async () => ({ status: "ok", detail: "fake" }),
  warmUp: async () => {},
});

test.each([
  [true, "<|fim_prefix|>const a =<|fim_suffix|>;<|fim_middle|>", " us"],
  [false, "<|fim_prefix|>const a = us<|fim_suffix|>;<|fim_middle|>", undefined],
])("shows what an engine gets at a begun word (held to a grammar: %s)", async (obeysGrammar, sent, word) => {
  const request = promptRequest.parse({ path: "a.ts", prefix: "const a = us", suffix: ";" });
  const deps = {
    ...{ engine: () => fakeEngine(obeysGrammar), format: formatById("qwen")!, layouts: createLayouts() },
    ...{ mode: "raw" as const, budgetTokens: 1_000, repoName: "shop" },
    retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  };
  const answer = await dryRun(request, deps, new AbortController().signal);
  const { prompt, begun, parts, tokens } = promptResponse.parse(answer);
  expect({ prompt, begun }).toEqual({ prompt: sent, begun: word });
  expect(parts.map(({ startOffset, endOffset }) => prompt.slice(startOffset, endOffset)).join("")).toBe(sent);
  expect(tokens).toBe(parts.reduce((sum, part) => sum + part.tokens, 0));
});
