/** `npm run bench:instant`: what the tier without a model shows where packages were written, and what it costs. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ablation } from "./bench/instant/ablation.ts";
import { cacheNgram, copyLongestMatch } from "./bench/instant/baselines.ts";
import { fitCalibration } from "./bench/instant/calibration-fit.ts";
import { type Commit, commitsOf } from "./bench/instant/commits.ts";
import { type FittedPackage, replayAcrossHalves } from "./bench/instant/cross-fit.ts";
import { dhi } from "./bench/instant/dhi.ts";
import { assumeGuesses, type Examples, examplesOf } from "./bench/instant/examples.ts";
import { calibration, replayFigures, typingFigures } from "./bench/instant/figures.ts";
import { fit, lossOf } from "./bench/instant/fit.ts";
import { TYPING_THRESHOLDS } from "./bench/instant/guesser.ts";
import { type History, historiesOf, type SetName } from "./bench/instant/histories.ts";
import { countLimits, limitsSection, noLimits } from "./bench/instant/limits.ts";
import { type PositionResult, replay } from "./bench/instant/replay.ts";
import { overall, replaySections, typingSection } from "./bench/instant/replay-report.ts";
import { record, type Section, sectionText } from "./bench/instant/report.ts";
import { measureScale } from "./bench/instant/scale.ts";
import { transcript } from "./bench/instant/transcript.ts";
import { writeWeights } from "./bench/instant/weights-file.ts";
import { createRandom } from "./bench/random.ts";
import { describeFigure } from "./bench/report.ts";
import { optionsOr, sayInstead, wholeNumber } from "./eval/flags.ts";

const USAGE = `npm run bench:instant -- [--part NAME] [--per-package N] [--seed N] [--tokens N] [--only NAME]

  --part test      commit replay and typing on the test packages, beside baselines (default)
  --part dev       the same on the development packages
  --part fit       fits the ranker on the development packages and writes server/src/instant/ranker-weights.ts
  --part ablation  what each idea brings, on the development packages
  --part limits    where the tokens are that it does not guess, on the test packages
  --part saved     the test part, when the files of a version are saved and indexed one after another
  --part keys      the test part, asked after every key instead of every token
  --part show      lines of the test packages as a user writes them
  --part scale     memory and time with --tokens N in the repository (default 100000, 1000000)
  --per-package N  positions of each package, at most (default 150; fit: 900; ablation: 300;
                   limits: 100; keys: 50)
  --seed N         which ones (default 1)
  --only NAME      packages whose name contains it; then nothing is written, by no part`;

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Options {
  readonly part: "test" | "dev" | "fit" | "ablation" | "limits" | "saved" | "keys" | "show" | "scale";
  readonly perPackage: number | undefined;
  readonly seed: number;
  readonly tokens: readonly number[];
  readonly only: string;
}

/** @returns the exit code: 2 for what is no option, and when nothing could be measured */
export async function main(args: readonly string[]): Promise<number> {
  const options = optionsOr(() => readOptions(args));
  if (typeof options === "string") return sayInstead(options, USAGE);
  const set: SetName = ON_TEST.has(options.part) ? "test" : "dev";
  const packages = await fetchPackages(historiesOf[set].filter(({ name }) => name.includes(options.only)));
  if (packages.every(({ commits }) => commits.length === 0)) {
    console.log("No package can be had here, so nothing was measured.");
    return 2;
  }
  await runs[options.part](packages, options);
  return 0;
}

const ON_TEST: ReadonlySet<Options["part"]> = new Set(["test", "limits", "saved", "keys", "show"]);

interface NamedCommits {
  readonly name: string;
  readonly commits: readonly Commit[];
}

const runs: Readonly<Record<Options["part"], (packages: NamedCommits[], options: Options) => unknown>> = {
  test: runReplay,
  dev: runReplay,

  fit(packages, { perPackage = 900, seed, only }) {
    const fitted = collectEach(packages, perPackage, seed + 6);
    const all = together(fitted);
    const [next, completesWord] = [fit(all.next, FIT), fit(all.completesWord, FIT)];
    const calibration = fitCalibration(replayAcrossHalves(fitted, FIT, { perPackage: REPLAYED, seed }));
    console.log("calibration", calibration);
    for (const [name, weights, some] of [
      ["next token", next, all.next],
      ["completing a word", completesWord, all.completesWord],
    ] as const) {
      const { loss, right } = lossOf(some, weights);
      console.log(
        `${name}: ${some.length} tokens, loss ${loss.toFixed(4)}, right ${(100 * right).toFixed(1)} %`,
      );
    }
    if (only !== "") return;
    const how = `${all.next.length} tokens of them and ${all.completesWord.length} names on the way to their end, seed ${seed}`;
    writeWeights(root, { next, completesWord, calibration }, how);
  },

  ablation(packages, options) {
    const { perPackage = 300, seed } = options;
    const { section, results } = ablation(
      collectEach(packages, perPackage, seed + 6).map(({ examples }) => examples.next),
      ABLATION_FIT,
    );
    console.log(sectionText(section));
    write(options, [section], results);
  },

  limits(packages, options) {
    const { perPackage = 100, seed } = options;
    const limits = noLimits();
    for (const { commits } of packages) countLimits(commits, { perPackage, seed }, limits);
    const section = limitsSection(limits);
    console.log(sectionText(section));
    write(options, [section], limits);
  },

  saved(packages, options) {
    const { perPackage = 150, seed } = options;
    const results = packages.flatMap(
      ({ name, commits }) =>
        replay(name, commits, [dhi], { perPackage, seed, typing: "tokens", savesAsItGoes: true })[0] ?? [],
    );
    const sections = [overall(results)];
    console.log(sections.map(sectionText).join("\n\n"));
    write(options, sections, figuresOf(results));
  },

  keys(packages, options) {
    const { perPackage = 50, seed } = options;
    const results = packages.flatMap(
      ({ name, commits }) => replay(name, commits, [dhi], { perPackage, seed, typing: "keys" })[0] ?? [],
    );
    const section = typingSection(results);
    console.log(sectionText(section));
    write(options, [section], figuresOf(results));
  },

  show(packages, { seed }) {
    const shown = packages.map(({ name, commits }) => [name, ...transcript(commits, seed)].join("\n"));
    console.log(shown.join("\n\n"));
  },

  async scale(packages, options) {
    const commits = packages.flatMap((p) => p.commits.slice(-1));
    const sections: Section[] = [];
    for (const count of options.tokens) {
      const { figures, notes } = await measureScale(commits, { tokens: count, requests: REQUESTS });
      console.log(figures.map((figure) => `- ${describeFigure(figure)}`).join("\n"));
      sections.push({
        title: `${count.toLocaleString("en")} tokens`,
        head: ["", "measured", "limit"],
        rows: figures.map(({ what, value, unit, limit }) => [
          what,
          `${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`.trim(),
          limit === undefined ? "" : `${limit}${value <= limit ? "" : " **missed**"}`,
        ]),
        notes,
      });
    }
    write(options, sections, {});
  },
};

const REQUESTS = 400;
/** Positions of each package by which the confidence is calibrated. */
const REPLAYED = 300;
/** What says which tokens were guessed, for the fit that counts. */
const FIRST_FIT = { hidden: 8, noneHidden: 4, epochs: 3, seed: 3, decay: 1e-5 };
const FIT = { hidden: 12, noneHidden: 4, epochs: 7, seed: 3, decay: 1e-5 };
/** Smaller, as there are many. */
const ABLATION_FIT = { ...FIT, hidden: 8, epochs: 5 };

/** Into the document, unless only some of the packages were measured. */
function write({ part, only }: Options, sections: readonly Section[], figures: unknown): void {
  if (only === "" && part !== "fit" && part !== "show") record(root, part, sections, figures);
}

function runReplay(packages: NamedCommits[], options: Options): void {
  const { part, perPackage = 150, seed } = options;
  if (part !== "test" && part !== "dev") return;
  const guessers = [dhi, copyLongestMatch, cacheNgram];
  const all = guessers.map((): PositionResult[] => []);
  for (const { name, commits } of packages) {
    replay(name, commits, guessers, { perPackage, seed, typing: "tokens" }).forEach((some, i) => {
      all[i]?.push(...some);
    });
    console.log(`${name}: done`);
  }
  const [results = [], ...baselines] = all;
  const named = baselines.map((some, i) => ({ name: guessers[i + 1]?.name ?? "", results: some }));
  const sections = replaySections(results, named, historiesOf[part]);
  console.log(sections.map(sectionText).join("\n\n"));
  write(options, sections, figuresOf(results));
}

const figuresOf = (results: readonly PositionResult[]) => ({
  replay: Object.fromEntries(TYPING_THRESHOLDS.map((t) => [t, replayFigures(results, t)])),
  typing: Object.fromEntries(TYPING_THRESHOLDS.map((t) => [t, typingFigures(results, t)])),
  calibration: calibration(results),
});

function collectEach(packages: readonly NamedCommits[], perPackage: number, seed: number): FittedPackage[] {
  const each = packages.map(({ name, commits }) => {
    const examples = examplesOf(commits, { perPackage, seed });
    console.log(`${name}: ${examples.next.length} tokens`);
    return { name, commits, examples };
  });
  const { next } = together(each);
  assumeGuesses(next, fit(next, FIRST_FIT), createRandom(seed));
  return each;
}

const together = (packages: readonly FittedPackage[]): Examples => ({
  next: packages.flatMap(({ examples }) => examples.next),
  completesWord: packages.flatMap(({ examples }) => examples.completesWord),
});

async function fetchPackages(histories: readonly History[]): Promise<NamedCommits[]> {
  const packages: NamedCommits[] = [];
  for (const history of histories)
    packages.push({ name: history.name, commits: await commitsOf(history, console.log) });
  return packages;
}

/** @throws {Error} that says what a flag wants */
function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: "string", default: "test" },
      "per-package": { type: "string" },
      seed: { type: "string", default: "1" },
      tokens: { type: "string", multiple: true, default: ["100000", "1000000"] },
      only: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  const { part, only, seed, tokens, help } = values;
  if (help) return USAGE;
  if (!isPart(part)) throw new Error(`--part wants one of ${Object.keys(runs).join(", ")}`);
  return {
    ...{ part, only, seed: wholeNumber("seed", seed) },
    perPackage:
      values["per-package"] === undefined ? undefined : wholeNumber("per-package", values["per-package"], 1),
    tokens: tokens.map((count) => wholeNumber("tokens", count, 1)),
  };
}

const isPart = (part: string): part is Options["part"] => Object.hasOwn(runs, part);

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
