/** For one cursor: what each method would put before the open file. */
import { usualLegs } from "@dhi/core/protocol";
import { DHI, withOpenFile, without } from "./ask-methods.ts";
import { baselines, oracles } from "./baselines/index.ts";
import type { Cursor } from "./cursors.ts";
import { askPrompt } from "./dhi.ts";
import { type LikelihoodText, layOut } from "./likelihood-layout.ts";
import type { Situation } from "./method.ts";
import { type EvalSnippet, neededNames } from "./metrics.ts";
import { packInto } from "./tokens.ts";

/** Half of what the prompt of a code model has: the likelihood's model reads some 400 tokens a second. */
export const CONTEXT_TOKENS = 512;

export interface LikelihoodCase {
  readonly cursor: Pick<Cursor, "id" | "package" | "language" | "kind">;
  /** Names of the continuation that only other files show. */
  readonly names: ReadonlySet<string>;
  /** By method. */
  readonly texts: Readonly<Record<string, LikelihoodText>>;
}

/** @param version of the open file's buffer: greater than any before */
export async function likelihoodCase(situation: Situation, version: number): Promise<LikelihoodCase> {
  const { cursor, facts } = situation;
  const { id, package: name, language, kind } = cursor;
  const chosen = await withOpenFile(situation, version, async () => ({
    ...(await chosenByDhi(situation)),
    ...(await chosenByOthers(situation)),
  }));
  return {
    cursor: { id, package: name, language, kind },
    names: neededNames(cursor, facts),
    texts: Object.fromEntries(
      Object.entries(chosen).map(([method, snippets]) => [method, layOut(cursor, snippets)]),
    ),
  };
}

/** With the usual legs, and without each: a leg without candidates need not be left out to know what comes of it. */
async function chosenByDhi(situation: Situation): Promise<Record<string, readonly EvalSnippet[]>> {
  const full = await askPrompt(situation, { contextTokens: CONTEXT_TOKENS, legs: usualLegs });
  const chosen: Record<string, readonly EvalSnippet[]> = { [DHI]: full.sources };
  for (const left of usualLegs) {
    const legs = usualLegs.filter((leg) => leg !== left);
    const isAsked = full.candidates.some(({ leg }) => leg === left);
    chosen[without(left)] = isAsked
      ? (await askPrompt(situation, { contextTokens: CONTEXT_TOKENS, legs })).sources
      : full.sources;
  }
  return chosen;
}

async function chosenByOthers(situation: Situation): Promise<Record<string, readonly EvalSnippet[]>> {
  const chosen: Record<string, readonly EvalSnippet[]> = {};
  for (const [method, baseline] of Object.entries({ ...baselines, ...oracles }))
    chosen[method] = packInto(CONTEXT_TOKENS, await baseline(situation));
  return chosen;
}
