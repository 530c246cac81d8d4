/** Dhi itself, asked over HTTP as an editor asks it. */
import { type LegName, type PromptResponse, promptResponse } from "@dhi/core/protocol";
import type { Cursor } from "./cursors.ts";
import type { EvalSnippet } from "./metrics.ts";
import type { Served } from "./served.ts";
import type { Surroundings } from "./surroundings.ts";

/** Left for the open file, its path and the sentinels, so that the context's budget is the only limit. */
const REST_TOKENS = 1_280;

export interface AskOptions {
  readonly contextTokens: number;
  /** Only these; all that the mode has by default. */
  readonly legs?: readonly LegName[] | undefined;
}

/** What Dhi may know: nothing of what really came. */
export interface AskedPlace {
  readonly served: Pick<Served, "post">;
  readonly cursor: Pick<Cursor, "id" | "package" | "path" | "prefix" | "suffix">;
  readonly surroundings: Surroundings;
}

/** Without a session: nothing of one request is remembered for the next. */
export async function askPrompt(
  { served, cursor, surroundings }: AskedPlace,
  { contextTokens, legs }: AskOptions,
): Promise<PromptResponse> {
  const { package: workspace, path, prefix, suffix } = cursor;
  const body = {
    ...{ workspace, path, prefix, suffix, mode: "rag", ...surroundings },
    ...{ contextTokens, budgetTokens: contextTokens + REST_TOKENS, ...(legs && { legs }) },
  };
  const answer = promptResponse.parse(await served.post("/v1/prompt", body));
  if (answer.late.length)
    throw new Error(`${cursor.id}: ${answer.late} came too late; the machine is too busy`);
  return answer;
}

/**
 * @returns what stands in the prompt, the likeliest to be needed first; piece by piece, since a file's pieces are as many
 *   snippets of any other method
 */
export const snippetsOf = ({ sources }: Pick<PromptResponse, "sources">): EvalSnippet[] =>
  sources
    .flatMap(({ path, pieces, ...source }) =>
      pieces.map((piece) => ({ path, ...piece, ofFile: source.score })),
    )
    .toSorted((a, b) => b.score - a.score || b.ofFile - a.ofFile);
