// `npm test`: installs and builds what is missing, then lint, types and every test that this machine can run.
// Arguments go to vitest: npm test -- indexer
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { build, buildPage, install, root, say } from "./prepare.mjs";

const modelServers = process.env.DHI_TOOLS_CACHE || join(homedir(), ".cache", "dhi-tools");

try {
  await install();
  await build();
  await buildPage();
} catch (error) {
  say(error.message);
  process.exit(1);
}
const lint = runBin("@biomejs/biome/bin/biome", ["ci", "--colors=off"]);
if (lint !== 0) {
  say("Lint failed; npm run format mends most of it.");
  process.exit(lint);
}
for (const line of skipped()) say(`Skipped: ${line}`);
process.exit(runBin("vitest/vitest.mjs", ["run", ...process.argv.slice(2)]));

/** What needs more than Node and npm, and is not to be had here. */
function skipped() {
  const lines = [];
  if (!process.env.DHI_TEST_OLLAMA && !existsSync(join(modelServers, "ollama")))
    lines.push(`tests with a real Ollama: none in ${modelServers}, and DHI_TEST_OLLAMA (its URL) is not set`);
  if (!existsSync(join(modelServers, "llama-server")))
    lines.push(`tests with a real llama-server: none in ${modelServers}`);
  lines.push(
    process.getuid?.() === 0
      ? "a file that may not be read: root may read everything"
      : "a repository that belongs to somebody else: only root can make one",
  );
  if (spawnSync("docker", ["version"], { stdio: "ignore", timeout: 10_000 }).status !== 0)
    lines.push("the Compose smoke (scripts/smoke/compose.mjs): no Docker engine answers");
  else lines.push("the Compose smoke: it takes minutes and runs in .ci/run (scripts/smoke/compose.mjs)");
  if (!existsSync(join(dirname(root), "shared", "tools")))
    lines.push("VS Code end to end: ../shared/tools, which brings VS Code, is not here");
  else
    lines.push(
      "VS Code and the page end to end: they take minutes and run in .ci/run (scripts/e2e/vscode.mjs, page.mjs)",
    );
  return lines;
}

/** @returns the exit code */
function runBin(file, args) {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", file), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  return status ?? 1;
}
