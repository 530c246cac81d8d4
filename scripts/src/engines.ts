/** `npm run engines`: what each engine does on a fake server and on the real ones that this machine has. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeRun } from "./bench/report.ts";
import { engineTable, type TestReport } from "./engine-table.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SUITES = ["server/src/engines", "server/src/instant/instant-engine.test.ts"];

/** @returns the exit code of the tests */
export async function main(): Promise<number> {
  const { report, status } = runTests();
  const table = engineTable(report);
  const run = describeRun(root);
  writeFileSync(
    join(root, "docs", "engines.md"),
    `# Engines

Made by \`npm run engines\`; do not edit. What every engine must do, on a local fake server that fails on command, and on the
real ones that this machine has. An empty cell: not tested there.

${table}

- **is free for the next call**: milliseconds until a short prompt after the abort was answered, and without one before. The
  difference is what the server still did for nobody, and chance: one sample, one thread, beside other work.
- Ollama reads an abandoned prompt to its end; llama-server looks once a second, between two batches (\`-b\`).
- Cached tokens: counted by llama-server, estimated for Ollama from the time that reading took.
- Mean log-probability: a completion below -2 is not shown unasked, whichever the model: that withholds what is nearly noise. No
  family has a number of its own, since no weights of one could be had here; \`npm run bench:confidence\` measures a model
  ([bench/confidence.md](bench/confidence.md)), and \`minMeanLogprob\` in \`models.json\` sets it. Engines that do not tell are
  trusted, and the instant tier drops by its own calibrated confidence.

${run.machine}; commit ${run.commit}, ${run.date}.
`,
  );
  console.log(table);
  return status;
}

function runTests(): { readonly report: TestReport; readonly status: number } {
  const dir = mkdtempSync(join(tmpdir(), "dhi-engines-"));
  const file = join(dir, "report.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", ...SUITES, "--reporter=default", "--reporter=json", `--outputFile=${file}`];
  try {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    return { report: JSON.parse(readFileSync(file, "utf8")), status: status ?? 1 };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
