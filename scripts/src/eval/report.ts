/** `docs/eval/report.md` and `report.json`: what was measured, how, and what it does not say. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeRun } from "../bench/report.ts";
import type { Comparison } from "./comparison.ts";
import type { Corpus } from "./corpus.ts";
import { type ShownPrompt, shownPrompts } from "./prompts.ts";
import { groupTable, legTable, methodTable, table, verdict } from "./tables.ts";

export interface ReportOptions {
  readonly set: string;
  readonly seed: number;
  readonly perPackage: number;
  readonly embedder: string;
  readonly corpora: readonly Corpus[];
  readonly say: (line: string) => void;
}

/** @param root of our repository */
export async function writeReport(
  root: string,
  comparison: Comparison,
  { set, seed, perPackage, embedder, corpora, say }: ReportOptions,
): Promise<void> {
  const run = { ...describeRun(root), set, seed, perPackage, embedder };
  say("Asking for three prompts of this repository…");
  const prompts = await shownPrompts(root, embedder);
  const dir = join(root, "docs", "eval");
  mkdirSync(dir, { recursive: true });
  const packages = corpora.map(({ name, files }) => ({ name, files: files.size }));
  writeFileSync(
    join(dir, "report.json"),
    `${JSON.stringify({ ...run, packages, ...comparison }, null, 2)}\n`,
  );
  const more = OTHER_PARTS.map((name) => join(dir, name)).filter((file) => existsSync(file));
  writeFileSync(
    join(dir, "report.md"),
    `${[
      reportMarkdown(comparison, run, packages, prompts),
      ...more.map((file) => readFileSync(file, "utf8").trimEnd()),
    ].join("\n\n")}\n`,
  );
}

/** Written by the commands of those names; each begins with a heading of the second level. */
const OTHER_PARTS = ["likelihood.md", "completion.md"];

interface Run extends Omit<ReportOptions, "corpora" | "say"> {
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

function reportMarkdown(
  comparison: Comparison,
  run: Run,
  packages: readonly { name: string; files: number }[],
  prompts: readonly ShownPrompt[],
): string {
  const { cursors, cursorsInNeed, retrieval } = comparison;
  const { set, seed, perPackage, embedder, commit, date, machine } = run;
  return `# Does each piece of context earn its tokens?

Made by \`npm run eval -- --set ${set} --per-package ${perPackage} --seed ${seed} --embedder ${embedder} --report\`; do not edit. ${cursors} cursors in ${packages.length} ${set} packages, seed ${seed},
${perPackage} cursors a package at most, embedder \`${embedder}\`; commit ${commit}, ${date}; ${machine}. A range in brackets holds 95 % of
2,000 resamples.

${verdict(comparison)}

## Methods

Every method sees the same cursors and may use 1,024 tokens. *recall@k*: one of the first k snippets shows a definition of a name that
the true continuation uses and another file defines; of Dhi each stretch of lines shown of a file, and each signature, counts as one snippet, the likeliest
needed first. *coverage@B*: of the names of the continuation that the open file does not have and another file has, the share
that stands in B tokens of context (${cursorsInNeed} cursors need one). *BM25 oracle* has the
answer in its query: no method, but what that kind of retrieval can reach.

${methodTable(comparison)}

Retrieval took the server ${retrieval.p50.toFixed(1)} ms (median) and ${retrieval.p95.toFixed(1)} ms (p95), with the eval's other processes beside it.

## Legs

What each leg of Dhi gives alone, and what it adds, in percentage points: one that is on, to the others that are on (Dhi minus
Dhi without it); one marked (off), to all that are on. A leg whose range lies above 0 somewhere earns its place. Those that are
off were turned off for showing no gain on the development packages (\`npm run eval -- --set dev\`).

${legTable(comparison)}

## By language, place and package

recall@5 / coverage@1024.

${groupTable(comparison, "language")}

${groupTable(comparison, "kind")}

${groupTable(comparison, "package")}

By what the open file says of the names that are looked for: cutting a line out of finished code leaves its import behind.

${groupTable(comparison, "hint")}

${table(
  ["package", "files"],
  packages.map(({ name, files }) => [name, String(files)]),
)}

${METHOD}

## Three prompts in full

Cursors in this repository, the prompt as it would go to Qwen2.5-Coder. Small ones: 1,024 tokens, half of them for context.

${prompts.map(promptMarkdown).join("\n\n")}`;
}

const METHOD = `## How it is measured

- **Data** are registry packages (\`scripts/src/eval/packages.ts\`), fetched by the machine's own npm, pip and go and cut at run time;
  nothing of theirs is in this repository. Development packages were looked at while retrieval was tuned, test packages give the
  figures. Files that are a copy of another one are left out.
- **Cursors** (\`cursors.ts\`) stand in function bodies, on lines whose rest uses a name that 1 to 3 definitions of other files explain and
  none of the file itself: at the line's start, between two tokens, inside such a name, and at the start of a body (up to
  ten lines follow). The use is one that tree-sitter sees as a call, a type or a base, or a name the file imports.
- **Dhi** is asked through \`POST /v1/prompt\` without a session, with its usual legs, TypeScript's service off, and all the time
  it needs (10 s instead of 40 ms): what a deadline costs is in [docs/bench/retrieval.md](../bench/retrieval.md).
- **The open file** is put into the index as prefix and suffix, without the answer, as an editor's unsaved buffer is.
- **Open files and recent edits are simulated**, since packages carry no history: three files of the same folder, two that import the
  same names, a stretch of eight lines in three of them. All methods get the same.
- **Baselines** (\`baselines/\`, each with its source): no context; the best windows of 60 lines of the open files by Jaccard (GitHub
  Copilot); BM25 windows of ten lines over the package, asked with the last ten lines (CrossCodeEval, RepoCoder); definitions of the
  names near the cursor (Continue); the nearest chunks to the last 200 characters (the original Dhi); BM25 around recent edits
  behind three gates (Tabby). Snippets are taken best first; those that do not fit are passed over.
- **Tokens** are estimated, by one counter for all. A baseline's snippet is whole or left out and pays for its own path line;
  Dhi pays once a file and may cut.
- **Intervals**: paired bootstrap by cursor within packages (parts with a model: over all cursors). Cursors of one file are drawn
  as if independent, which makes ranges somewhat narrow.

## What it does not say

- Names are not meaning: a snippet that shows the right name may still not help a model, and one without it may.
- Cutting a line out leaves its import behind, often used nowhere else. Dhi looks at unused imports first; who types a name
  before importing it gives no such hint, and no baseline looks for it. The last table above parts these cursors.
- The embedder of a run counts for *vector only* and for Dhi's vector leg: \`hash\` knows words, not meaning, so a real embedding
  model would give both other figures. Tabby's gate of 0.75 was made for such a model; 0.3 stands in for it. Edits are drawn
  at random, which is hard on whatever looks at edits.
- A gold definition is found by name. Where a package has a second thing of that name, or a standard library does, a cursor
  may ask for what nobody needs; that lowers all methods alike.
- Published packages are finished code: half-written files, and what one really has open and edits, are harder to come by.
- A few packages are a small sample of each language; the ranges cover the choice of cursors, not that of packages.`;

const promptMarkdown = ({ path, line, continuation, sources, prompt }: ShownPrompt): string =>
  `### ${path}:${line}

What really follows: \`${continuation}\`

${sources.map((source) => `- ${source}`).join("\n") || "No source."}

\`\`\`\`text
${prompt}
\`\`\`\``;
