/** retrieval ─► prompt: what an engine is to see for a request. */
import type { ContextMode, PromptRequest, Source } from "@dhi/core/protocol";
import { keepOutOfLogs } from "@dhi/core/request-context";
import type { Retrieval, Retrieve } from "../retrieval/retrieve.ts";
import type { Stopwatch } from "../stopwatch.ts";
import { type BuiltPrompt, buildPrompt, type UsedSnippet } from "./build-prompt.ts";
import type { FimFormat } from "./fim-format.ts";
import type { Layouts } from "./layouts.ts";

export interface PromptDeps {
  readonly retrieve: Retrieve;
  /** What stood in the last prompts of each editor. */
  readonly layouts: Layouts;
  readonly format: FimFormat;
  /** For requests that name none. */
  readonly mode: ContextMode;
  /** Tokens a prompt may have. */
  readonly budgetTokens: number;
  /** Of the workspace, for formats that name the repository. */
  readonly repoName: string;
}

export interface Prompt extends BuiltPrompt {
  readonly retrieval: Retrieval;
}

/** A failed retrieval just means no snippets. @throws AbortError when the signal fires */
export async function promptFor(
  request: PromptRequest,
  { retrieve, layouts, format, budgetTokens, repoName }: PromptDeps,
  mode: ContextMode,
  watch: Stopwatch,
  signal: AbortSignal,
): Promise<Prompt> {
  const retrieval = await retrieve(request, mode, signal);
  for (const [name, from] of retrieval.legAt ?? [])
    watch.part({ name, of: "retrieval", from, to: from + (retrieval.legMs.get(name) ?? 0) });
  watch.lap("retrieval");
  const before = layouts.before(request);
  const built = buildPrompt({
    ...{ request, snippets: retrieval.snippets, format, mode, repoName },
    budgetTokens: request.budgetTokens ?? budgetTokens,
    ...(request.contextTokens !== undefined && { contextTokens: request.contextTokens }),
    ...(before && { before }),
  });
  layouts.keep(request, built);
  watch.lap("prompt");
  keepOutOfLogs(built.prompt);
  return { ...built, retrieval };
}

/** As answers have it. */
export const sourceOf = ({ path, startLine, endLine, legs, score, tokens }: UsedSnippet): Source => ({
  ...{ path, startLine, endLine, legs, score, tokens },
});
