/** One cursor, every method: the open file goes into the index without the answer, and out again afterwards. */
import { type LegName, legName, type PromptResponse, usualLegs } from "@dhi/core/protocol";
import { baselines, oracles } from "./baselines/index.ts";
import { type AskedPlace, askPrompt, snippetsOf } from "./dhi.ts";
import type { Situation } from "./method.ts";
import {
  BUDGET,
  budgets,
  type EvalSnippet,
  neededNames,
  packedBy,
  type Scores,
  scoresOf,
} from "./metrics.ts";

export const DHI = "Dhi";
export const alone = (leg: LegName): string => `${leg} alone`;
export const without = (leg: LegName): string => `without ${leg}`;
/** For a leg that Dhi does not ask by default. */
export const withLeg = (leg: LegName): string => `with ${leg}`;

export interface CursorScores {
  readonly cursor: Situation["cursor"];
  /** By method. */
  readonly scores: Readonly<Record<string, Scores>>;
  /** Legs that had a candidate. */
  readonly legs: readonly LegName[];
  /** Milliseconds the server spent on retrieval, for {@link BUDGET}. */
  readonly retrievalMs: number;
}

export interface MethodOptions {
  /** Only these legs of Dhi; the usual ones by default. */
  readonly legs?: readonly LegName[] | undefined;
  readonly withBaselines: boolean;
  readonly withAblations: boolean;
}

/** @param version of the open file's buffer: greater than any before */
export async function askMethods(
  situation: Situation,
  options: MethodOptions,
  version: number,
): Promise<CursorScores> {
  const { cursor, facts } = situation;
  return withOpenFile(situation, version, async () => {
    const needed = neededNames(cursor, facts);
    const score: Score = (packed, tokens) => scoresOf(packed, cursor, needed, tokens);
    const { found, retrievalMs, scores } = await scoresOfDhi(situation, options, score);
    const others = options.withBaselines ? Object.entries({ ...baselines, ...oracles }) : [];
    for (const [name, baseline] of others) scores[name] = score(packedBy(await baseline(situation)));
    return { cursor, scores, legs: found, retrievalMs };
  });
}

/** The buffer is in every leg but, since nobody waits for that, perhaps not yet in Chroma. */
export async function withOpenFile<T>(
  { served, cursor }: Pick<AskedPlace, "served" | "cursor">,
  version: number,
  run: () => Promise<T>,
): Promise<T> {
  const { package: workspace, path, prefix, suffix } = cursor;
  await served.post("/v1/documents", { workspace, path, version, content: prefix + suffix });
  try {
    return await run();
  } finally {
    await served.post("/v1/documents", { workspace, path, closed: true });
  }
}

type Score = (packed: ReadonlyMap<number, readonly EvalSnippet[]>, tokens?: number) => Scores;

const tokensOf = ({ sources }: PromptResponse): number =>
  sources.reduce((total, { tokens }) => total + tokens, 0);

async function scoresOfDhi(
  situation: Situation,
  { legs: given, withBaselines, withAblations }: MethodOptions,
  score: Score,
): Promise<{ found: LegName[]; retrievalMs: number; scores: Record<string, Scores> }> {
  const packed = new Map<number, EvalSnippet[]>();
  const usual = given ?? usualLegs;
  const full = await askPrompt(situation, { contextTokens: BUDGET, legs: usual });
  for (const contextTokens of withBaselines ? budgets : [BUDGET]) {
    const answer =
      contextTokens === BUDGET ? full : await askPrompt(situation, { contextTokens, legs: usual });
    packed.set(contextTokens, snippetsOf(answer));
  }
  const scores: Record<string, Scores> = { [DHI]: score(packed, tokensOf(full)) };
  const found = usual.filter((name) => full.candidates.some(({ leg }) => leg === name));
  const scoreOf = (answer: PromptResponse) =>
    score(new Map([[BUDGET, snippetsOf(answer)]]), tokensOf(answer));
  const ask = (legs: readonly LegName[]) => askPrompt(situation, { contextTokens: BUDGET, legs });
  for (const leg of withAblations ? (given ?? legName.options) : []) {
    const isUsual = usual.includes(leg);
    // A usual leg without candidates gives nothing alone, and its absence changes nothing.
    const only = isUsual && !found.includes(leg) ? undefined : await ask([leg]);
    const has = only?.candidates.length ? only : undefined;
    if (has && !isUsual) found.push(leg);
    scores[alone(leg)] = has ? scoreOf(has) : score(new Map([[BUDGET, []]]));
    const other = has && (await ask(isUsual ? usual.filter((one) => one !== leg) : [...usual, leg]));
    scores[isUsual ? without(leg) : withLeg(leg)] = scoreOf(other ?? full);
  }
  return { found, retrievalMs: full.timings.retrieval, scores };
}
