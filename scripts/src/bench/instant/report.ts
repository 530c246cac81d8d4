/** `docs/bench/instant.{md,json}`: what was measured last of each part. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../../eval/tables.ts";
import { describeRun } from "../report.ts";
import type { Interval } from "./intervals.ts";

/** In the order in which they stand in the document. */
export const PARTS = ["test", "keys", "saved", "limits", "dev", "ablation", "scale"] as const;
export type Part = (typeof PARTS)[number];

export interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes?: readonly string[];
}

interface Recorded extends ReturnType<typeof describeRun> {
  readonly sections: readonly Section[];
  /** The same in numbers. */
  readonly figures: unknown;
}

type Document = Partial<Record<Part, Recorded>>;

/** Replaces what an earlier run said of the same part; the others stay. @param root of our repository */
export function record(root: string, part: Part, sections: readonly Section[], figures: unknown): void {
  const dir = join(root, "docs", "bench");
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "instant.json");
  const before: Document = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const now: Document = { ...before, [part]: { ...describeRun(root), sections, figures } };
  const document = Object.fromEntries(PARTS.filter((name) => now[name]).map((name) => [name, now[name]]));
  writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`);
  writeFileSync(join(dir, "instant.md"), markdown(now));
}

export const sectionText = ({ title, head, rows, notes = [] }: Section): string =>
  [`### ${title}`, table(head, rows), ...notes].join("\n\n");

const HEAD = `# The instant tier

Ghost text without a model, measured with \`npm run bench:instant\`. Successive versions of packages are committed one after
another; what version n + 1 added is written on the index of version n. The cursor stands at the first token of an added line
or behind a token of one; above it is the file as its author left it, below it what follows the whole run of added lines, and
other files are as before the commit. Symbols are those of an index of version n, in which the file at hand stands as its
editor shows it; types of TypeScript's language service are not asked. Lines that the commit only moved are left out, and a
file gives at most 24 positions.

- *shown*: a continuation of the line is at least as sure as θ, has three visible characters, and is at most 7 % less sure
  than the shortest that has; *right*: the author wrote exactly that, up to the end of a token; *characters*: of all that were
  to be written, those in right suggestions. The product answers at θ 0.7 where no model does, and draws at θ 0.85 until a
  model has written something.
- *typing*: added lines are written from their first token. After each token what is shown is taken with one keystroke if all
  of it is right; else the next token is typed. A wrong suggestion that stays counts again after each token. *Net* is what is
  saved when reading each shown suggestion costs one keystroke's time.
- The ranker and the calibration of its confidence are fitted on the development packages alone, the calibration on what
  rankers fitted on one half of them say of the other.
- Brackets hold 95 % intervals: files are drawn again, package by package.

What the tier was at commit 486e72c, before its ranker was fitted (matches of 1 to 32 tokens, interpolated, a confidence of
five constants), at the positions of "Test packages": θ 0.7 shown 19.3 %, right 64.7 %, 16.1 % of keystrokes saved, 0.57 wrong
a line; θ 0.85 shown 15.4 %, right 74.6 %, 13.6 %, 0.29; confidence up to 19 points too high. With the ranker fitted, but
before matches counted as much as their surroundings are alike (commit 2defdeb): θ 0.7 shown 17.8 %, right 81.8 %, 18.2 %
saved, 0.33 wrong a line; θ 0.85 shown 11.0 %, right 88.6 %, 12.5 %, 0.13; confidence up to 6.8 points too low. Before it
knew symbols and its confidence was calibrated (commit b51cf0f): θ 0.7 shown 18.4 %, right 82.8 %, 17.9 % saved, 0.33 wrong a
line; θ 0.85 shown 11.1 %, right 86.5 %, 11.7 %, 0.12; confidence up to 10.0 points too low. With the same weights, and a
calibration that came by mistake from rankers fitted on half as many tokens (commit f5c5f74): θ 0.7 shown 22.2 %, right
79.3 %, 20.5 % saved, 0.40 wrong a line; θ 0.85 shown 14.1 %, right 88.8 %, 15.0 %, 0.19; confidence up to 12.0 points too
high, which is how the mistake was found: of what is measured on the test packages, the calibration alone was chosen after a
look at them, by what \`--part fit\` wrote.
`;

/** Measured by hand, at commit 3bda560. */
const TAIL = `## Beside a model

With \`ENGINE=auto\` what is as sure as θ 0.85 is drawn until the model writes. At 120 positions of four development packages, on
the index of the version before and with a fake Ollama that reads 2,000 tokens a second and writes 60, on a machine with
15 times as much to do as it has cores: 21 were shown a preview, 20 of them rightly; the model's text went on from 20 and took
the place of one. Where there was one, text was there after 157 ms (median; 95 %: 355 ms), else after 840 ms (1,505 ms).

Two further uses were tried and left out:

- *Its candidates as a retrieval leg.* At 2,277 positions of the development packages the rest of the line needs 1,572 names
  that other files define. 1,330 of them stand in the lines that the model sees, where retrieval looks for definitions
  already. Of the other 242 the tier's twelve likeliest names hold 44, the five likeliest 36: no more than 2.8 % of the names
  can be gained, for a guess that costs as much as retrieval.
- *Its matches as draft for speculative decoding.* llama.cpp's server (commit 0c1e570) takes no draft with a request: what
  it has is the kind of drafts (\`speculative.types\`), and a file of n-grams of the model's own tokens, read once at its
  start (\`--lookup-cache-static\`). Its own n-gram drafts see all of the prompt, and so what retrieval brought. SmolLM2-135M
  (q4_1), 3 files of this repository, 40 tokens each at temperature 0: 120 passes without drafts; 89 with \`ngram-map-k\`
  (n 4, m 8; 31 of 31 drafted tokens accepted), 8 % less processor time; 101 with \`ngram-simple\` (n 3, m 8; 19 of 67) and
  110 with \`ngram-cache\` (10 of 32), 9 % and 7 % more. That is one small model on 120 tokens: no more than a sign that
  \`--spec-type ngram-map-k\` is worth trying. A draft of Dhi's own was not measured, as that server had no way to take one.
`;

const TITLES: Readonly<Record<Part, string>> = {
  test: "Test packages",
  dev: "Development packages (fitted on these)",
  keys: "Test packages, typed and asked key by key",
  saved: "Test packages, where the other files of the version are saved one after another",
  limits: "What it does not guess (test packages)",
  ablation: "What each idea brings (development packages)",
  scale: "Cost",
};

function markdown(document: Document): string {
  const parts = PARTS.flatMap((part) => {
    const recorded = document[part];
    if (!recorded) return [];
    const { sections, machine, commit, date } = recorded;
    return [`## ${TITLES[part]}`, ...sections.map(sectionText), `${machine}; commit ${commit}, ${date}.`];
  });
  return `${[HEAD.trimEnd(), ...parts, TAIL.trimEnd()].join("\n\n")}\n`;
}

export const percent = ({ value, low, high }: Interval): string =>
  Number.isFinite(value)
    ? `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)})`
    : "–";

export const number = ({ value, low, high }: Interval, digits = 2): string =>
  Number.isFinite(value) ? `${value.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})` : "–";
