/** `npm run check:postprocess -- [--cursors N] [--kinds N] [--seed N]`: hostile outputs at cursors in real files. */
import { parseArgs } from "node:util";
import { checkPostprocess } from "./postprocess-check/check.ts";
import { hostiles } from "./postprocess-check/hostile.ts";
import { checkReport } from "./postprocess-check/report.ts";
import { sourcePackages } from "./source-packages.ts";

const USAGE = `npm run check:postprocess -- [--cursors N] [--kinds N] [--seed N]
  cursors  places in real files, the same number for each language (default 10000)
  kinds    kinds of hostile outputs at each, of ${Object.keys(hostiles).length} (default 6)
  seed     of all that is chance (default 1)`;

/** @returns the exit code: 1 when something does not hold, 2 when nothing could be tried */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.log(USAGE);
    return args.includes("--help") ? 0 : 2;
  }
  const packages = await sourcePackages();
  if (packages.length === 0) {
    console.log("No source packages can be had here, so nothing was tried.");
    return 2;
  }
  const result = await checkPostprocess(packages, options);
  console.log(checkReport(result));
  return result.violations.length === 0 ? 0 : 1;
}

/** @returns `undefined` for what is no option */
function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        cursors: { type: "string", default: "10000" },
        kinds: { type: "string", default: "6" },
        seed: { type: "string", default: "1" },
      },
    });
    const [cursors, kindsPerCursor, seed] = [values.cursors, values.kinds, values.seed].map(Number);
    if (!isCount(cursors) || !isCount(kindsPerCursor) || !isCount(seed)) return undefined;
    return { cursors, kindsPerCursor, seed };
  } catch {
    return undefined;
  }
}

const isCount = (n: number | undefined): n is number => n !== undefined && Number.isInteger(n) && n > 0;
