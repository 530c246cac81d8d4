/** Chunks every file below some folders, and counts. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Language, languageOf } from "@dhi/core/languages";
import { createAnalyzer } from "@dhi/indexer/chunker/analyze";
import { add, type Coverage, coverageOf, NO_COVERAGE } from "@dhi/indexer/chunker/testing/coverage";
import { loadTreeSitter } from "@dhi/indexer/chunker/tree-sitter";
import { decodeText } from "@dhi/indexer/decode-text";
import { skipByStat, skipByText } from "@dhi/indexer/skip-reason";
import { createRandom } from "../bench/random.ts";
import { CHECKS, type Check, checkRobustness, PARSE_TIMEOUT_MS, type Readers } from "./robustness.ts";

export interface LanguageCoverage extends Coverage {
  readonly language: string;
  readonly files: number;
  /** Processor time of the whole analysis ÷ of parsing alone; `null` for what is not parsed as a whole. */
  readonly timesParse: number | null;
}

export interface CheckResult {
  readonly check: Check;
  readonly files: number;
  readonly failed: number;
}

export interface CoverageResult {
  readonly languages: readonly LanguageCoverage[];
  readonly checks: readonly CheckResult[];
  /** By the index's own rules: reason → files. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** As the indexer has it when it is not set. */
const MAX_FILE_BYTES = 1_048_576;
/** Of what is broken, and where. */
const SEED = 4;

/** @param say gets a line for each file of which something is not as it should be */
export async function measureCoverage(
  folders: readonly string[],
  say: (line: string) => void,
): Promise<CoverageResult> {
  const readers: Readers = {
    analyzer: await createAnalyzer({ parseTimeoutMs: PARSE_TIMEOUT_MS }),
    treeSitter: await loadTreeSitter(),
  };
  const random = createRandom(SEED);
  const tallies = new Map<string, Tally>();
  const checks = new Map<Check, { files: number; failed: number }>();
  const skipped = new Map<string, number>();

  for (const folder of folders) {
    for (const file of filesBelow(folder)) {
      const path = relative(folder, file);
      const language = languageOf(path);
      const text = readText(file, path, language);
      if (typeof text !== "string") {
        skipped.set(text.reason, (skipped.get(text.reason) ?? 0) + 1);
        continue;
      }
      if (text === "") continue;
      const tally = tallyFor(tallies, language);
      const analysis = count(tally, readers, { text, language, path, say });
      for (const [check, held] of checkRobustness(readers, text, language, analysis, random)) {
        const { files, failed } = checks.get(check) ?? { files: 0, failed: 0 };
        checks.set(check, { files: files + 1, failed: failed + (held ? 0 : 1) });
        if (!held) say(`${path}: not so: ${check}`);
      }
    }
  }
  return {
    languages: [...tallies.values()].map(resultOf).sort((a, b) => b.lines - a.lines),
    checks: CHECKS.map((check) => ({ check, ...(checks.get(check) ?? { files: 0, failed: 0 }) })),
    skipped: Object.fromEntries([...skipped].sort()),
  };
}

interface Tally {
  readonly language: string;
  files: number;
  coverage: Coverage;
  parseUs: number;
  analysisUs: number;
}

/** Languages that are read by lines are one. */
function tallyFor(tallies: Map<string, Tally>, { id, grammar, embeds }: Language): Tally {
  const language = grammar || embeds ? id : "by lines";
  const tally = tallies.get(language) ?? {
    ...{ language, files: 0, coverage: NO_COVERAGE, parseUs: 0, analysisUs: 0 },
  };
  tallies.set(language, tally);
  return tally;
}

interface Counted {
  readonly text: string;
  readonly language: Language;
  readonly path: string;
  readonly say: (line: string) => void;
}

function count(tally: Tally, { analyzer, treeSitter }: Readers, { text, language, path, say }: Counted) {
  const { grammar } = language;
  if (grammar) {
    const began = process.cpuUsage();
    treeSitter.parse(text, grammar, PARSE_TIMEOUT_MS, () => true);
    tally.parseUs += microseconds(began);
  }
  const began = process.cpuUsage();
  const analysis = analyzer.analyze(text, language);
  tally.analysisUs += microseconds(began);
  const coverage = coverageOf(text, analysis);
  if (coverage.chunksOverBudget > 0) say(`${path}: ${coverage.chunksOverBudget} chunks over the budget`);
  tally.files++;
  tally.coverage = add(tally.coverage, coverage);
  return analysis;
}

function microseconds(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

const resultOf = ({ language, files, coverage, parseUs, analysisUs }: Tally): LanguageCoverage => ({
  language,
  files,
  ...coverage,
  timesParse: parseUs > 0 ? analysisUs / parseUs : null,
});

function readText(file: string, path: string, { id }: Language): string | { reason: string } {
  const byStat = skipByStat(path, lstatSync(file), MAX_FILE_BYTES);
  if (byStat) return { reason: byStat };
  const text = decodeText(readFileSync(file));
  const reason = text === undefined ? "binary" : skipByText(text, id);
  return text === undefined || reason ? { reason: reason ?? "binary" } : text;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
