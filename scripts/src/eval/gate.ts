/** A slice of the evaluation that is small enough for every test run: what it measures may not get worse unseen. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGES, sourcePackages } from "../source-packages.ts";
import { withOpenFile } from "./ask-methods.ts";
import { createBootstrap, type Estimate } from "./bootstrap.ts";
import { DEPTH } from "./comparison.ts";
import { type Corpus, corpusOf } from "./corpus.ts";
import { askPrompt, snippetsOf } from "./dhi.ts";
import { BUDGET, coverage, neededNames, recallAt } from "./metrics.ts";
import { packagesOf } from "./packages.ts";
import { situationsIn } from "./prepare.ts";
import type { Served } from "./served.ts";

export interface GateFigures {
  readonly cursors: number;
  readonly recall: Estimate;
  readonly coverage: Estimate;
}

/** Development packages that are indexed in seconds: Java, Go and TypeScript. */
const NAMES = ["JPype1", "github.com/gin-gonic/gin", "rxjs"];
const PER_PACKAGE = 20;
const SEED = 1;
const RESAMPLES = 2_000;

/** @returns fewer where some cannot be had */
export async function gateCorpora(say: (line: string) => void): Promise<Corpus[]> {
  const wanted = PACKAGES.filter(({ name }) => NAMES.includes(name));
  const sources = await sourcePackages(say, wanted);
  return sources.flatMap((source) => {
    const spec = packagesOf.dev.find(({ name }) => name === source.name);
    return spec ? corpusOf(source, spec) : [];
  });
}

export const isComplete = (corpora: readonly Corpus[]): boolean => corpora.length === NAMES.length;

/** @param served with all the corpora indexed */
export async function gateFigures(served: Served, corpora: readonly Corpus[]): Promise<GateFigures> {
  const situations = situationsIn(served, corpora, PER_PACKAGE, SEED);
  const found: { package: string; recall: number; coverage: number }[] = [];
  for (const [at, situation] of situations.entries()) {
    const { cursor, facts } = situation;
    const answer = await withOpenFile(situation, at + 1, () =>
      askPrompt(situation, { contextTokens: BUDGET }),
    );
    const snippets = snippetsOf(answer);
    found.push({
      package: cursor.package,
      recall: recallAt(DEPTH, snippets, cursor) ? 1 : 0,
      coverage: coverage(snippets, neededNames(cursor, facts)),
    });
  }
  const bootstrap = createBootstrap(
    found.map((one) => one.package),
    RESAMPLES,
    SEED,
  );
  return {
    cursors: found.length,
    recall: bootstrap.mean(found.map(({ recall }) => recall)),
    coverage: bootstrap.mean(found.map((one) => one.coverage)),
  };
}

const fileIn = (root: string) => join(root, "docs", "eval", "gate.json");

/** @param root of our repository */
export const readGate = (root: string): GateFigures => JSON.parse(readFileSync(fileIn(root), "utf8"));

export function writeGate(root: string, figures: GateFigures): void {
  mkdirSync(dirname(fileIn(root)), { recursive: true });
  writeFileSync(fileIn(root), `${JSON.stringify(figures, null, 2)}\n`);
}
