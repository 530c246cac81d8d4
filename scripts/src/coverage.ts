/** `npm run coverage -- [folder…]`: what the chunks cover of real packages, or of the folders named. */
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { measureCoverage } from "./chunk-coverage/measure.ts";
import { checkTable, coverageTable, recordCoverage } from "./chunk-coverage/report.ts";
import { sourcePackages } from "./source-packages.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @returns the exit code: 1 when a promise of the chunker does not hold */
export async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg.startsWith("-"))) {
    console.log(
      "npm run coverage -- [folder…]   (default: real packages, recorded in docs/bench/coverage.md)",
    );
    return args.includes("--help") ? 0 : 2;
  }
  const packages =
    args.length > 0
      ? args.map((folder) => ({ name: basename(folder), dir: resolve(folder) }))
      : await sourcePackages();
  const result = await measureCoverage(
    packages.map(({ dir }) => dir),
    (line) => console.log(line),
  );
  console.log(`\n${coverageTable(result.languages)}\n\n${checkTable(result)}`);
  if (args.length === 0)
    recordCoverage(
      root,
      packages.map(({ name }) => name),
      result,
    );
  const { languages, checks } = result;
  const isCovered = languages.every((c) => c.chunksOverBudget === 0 && c.wholeLines >= 0.999 * c.lines);
  return isCovered && checks.every(({ failed }) => failed === 0) ? 0 : 1;
}
