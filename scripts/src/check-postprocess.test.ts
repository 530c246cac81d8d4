import { expect, test } from "vitest";
import { checkPostprocess } from "./postprocess-check/check.ts";
import { checkReport } from "./postprocess-check/report.ts";
import { sourcePackages } from "./source-packages.ts";

const packages = await sourcePackages();

test.skipIf(packages.length === 0)(
  "whatever a model writes at 1,000 cursors in real files, what is shown can be accepted",
  { timeout: 300_000 },
  async () => {
    const result = await checkPostprocess(packages, { cursors: 1_000, kindsPerCursor: 3, seed: 20 });
    expect(result.violations, checkReport(result)).toEqual([]);
    // Safe, and not by showing nothing.
    expect(result.truth.whole / 1_000).toBeGreaterThan(0.7);
    console.log(checkReport(result));
  },
);
