/** How much each leg's ranks should count in the fusion: coordinate search on what the legs found for each cursor. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LegName, legName } from "@dhi/core/protocol";
import { cacheFolder } from "../source-packages.ts";
import { withOpenFile } from "./ask-methods.ts";
import { meanOf } from "./bootstrap.ts";
import { askPrompt } from "./dhi.ts";
import { groupBy } from "./group-by.ts";
import type { Situation } from "./method.ts";
import { BUDGET, coverage, type EvalSnippet, neededNames, recallAt } from "./metrics.ts";
import { table } from "./tables.ts";
import { packInto } from "./tokens.ts";

export type Weights = Readonly<Partial<Record<LegName, number>>>;

/** What a cursor needs, and what each leg found for it. */
export interface LearningCase {
  readonly cursor: Situation["cursor"];
  readonly needed: ReadonlySet<string>;
  /** Best first. */
  readonly found: ReadonlyMap<LegName, readonly EvalSnippet[]>;
}

/** As `server/src/retrieval/fuse.ts` has it. */
const RRF_K = 60;
const MAX_PER_FILE = 3;
const STEPS = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
const MOST_ROUNDS = 4;
const RECALL_DEPTH = 5;

/**
 * @param say gets a line when the cases are gathered
 * @returns the weights as a table; the cases are left in the cache as JSON lines
 */
export async function learn(
  situations: readonly Situation[],
  seed: number,
  say: (line: string) => void,
): Promise<string> {
  const cases: LearningCase[] = [];
  for (const [at, situation] of situations.entries()) cases.push(await learningCase(situation, at + 1));
  const file = join(cacheFolder("eval"), "learn", `${seed}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, cases.map((one) => `${JSON.stringify(asJson(one))}\n`).join(""));
  say(`${cases.length} cases: ${file}`);
  const even = Object.fromEntries(legName.options.map((leg) => [leg, 1]));
  const best = searchWeights(cases, even);
  const [before, after] = [gain(cases, even), gain(cases, best)];
  return table(
    ["leg", "weight"],
    [
      ...Object.entries(best).map(([leg, weight]) => [leg, String(weight)]),
      [`recall@${RECALL_DEPTH} + coverage@${BUDGET}, all legs 1`, before.toFixed(4)],
      ["with these weights", after.toFixed(4)],
    ],
  );
}

/** One weight after the other, until a round changes none. */
export function searchWeights(cases: readonly LearningCase[], start: Weights): Weights {
  let best = start;
  let most = gain(cases, best);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = best;
    for (const leg of legName.options.filter((name) => cases.some(({ found }) => found.get(name)?.length)))
      for (const weight of STEPS) {
        const tried = { ...best, [leg]: weight };
        const value = gain(cases, tried);
        if (value > most) [best, most] = [tried, value];
      }
    if (best === before) break;
  }
  return best;
}

/** @returns recall@5 plus coverage, both as means over the cursors */
export function gain(cases: readonly LearningCase[], weights: Weights): number {
  const chosen = cases.map((one) => packInto(BUDGET, fused(one.found, weights)));
  const recall = meanOf(
    cases.map(({ cursor }, i) => (recallAt(RECALL_DEPTH, chosen[i] ?? [], cursor) ? 1 : 0)),
  );
  const covered = meanOf(cases.map(({ needed }, i) => coverage(chosen[i] ?? [], needed)));
  return recall + (Number.isNaN(covered) ? 0 : covered);
}

/** @returns best first */
export function fused(
  found: ReadonlyMap<LegName, readonly EvalSnippet[]>,
  weights: Weights,
): readonly EvalSnippet[] {
  const scores = new Map<string, { readonly snippet: EvalSnippet; score: number }>();
  for (const [leg, snippets] of found)
    snippets.forEach((snippet, rank) => {
      const place = `${snippet.path}:${snippet.startLine}-${snippet.endLine}`;
      const entry = scores.get(place) ?? { snippet, score: 0 };
      entry.score += (weights[leg] ?? 1) / (RRF_K + rank + 1);
      scores.set(place, entry);
    });
  const inFile = new Map<string, number>();
  return [...scores.values()]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ snippet }) => snippet)
    .filter(({ path }) => {
      const count = (inFile.get(path) ?? 0) + 1;
      inFile.set(path, count);
      return count <= MAX_PER_FILE;
    });
}

async function learningCase(situation: Situation, version: number): Promise<LearningCase> {
  const { corpus, cursor, facts } = situation;
  const { candidates } = await withOpenFile(situation, version, () =>
    askPrompt(situation, { contextTokens: BUDGET, legs: legName.options }),
  );
  const open = cursor.prefix + cursor.suffix;
  const found = groupBy(candidates, ({ leg }) => leg);
  return {
    cursor,
    needed: neededNames(cursor, facts),
    found: new Map(
      [...found].map(([leg, some]) => [
        leg,
        some.map(({ path, startLine, endLine }) => {
          const lines = path === cursor.path ? open.split("\n") : (corpus.files.get(path)?.lines ?? []);
          return { path, startLine, endLine, text: lines.slice(startLine - 1, endLine).join("\n") };
        }),
      ]),
    ),
  };
}

function asJson({ cursor, needed, found }: LearningCase): object {
  const { id, kind, language, gold } = cursor;
  return {
    ...{ id, kind, language, needed: [...needed] },
    gold: gold.map(({ name, path, nameLine }) => ({ name, path, line: nameLine })),
    found: Object.fromEntries(
      [...found].map(([leg, some]) => [
        leg,
        some.map(({ path, startLine, endLine }) => [path, startLine, endLine]),
      ]),
    ),
  };
}
