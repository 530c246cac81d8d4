/**
 * `npm run e2e -w extension`: prepares a real VS Code and runs everything in it, one editor after the other. Where the
 * tools for that are not, it says which are missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const tools = resolve(here, "../../../shared/tools/vscode-e2e");
const cache = process.env.DHI_TOOLS_CACHE ?? join(homedir(), ".cache", "dhi-tools");

if (!existsSync(tools)) {
  console.error(
    [
      `The end-to-end run drives code-server with playwright-core and Chromium, and ${tools} sets these up.`,
      "It is not here. What it has to provide: setup.sh DIR, which installs them into DIR, and host.mjs, whose startHost",
      "starts both (scripts/e2e/editor.mjs shows how it is called).",
    ].join("\n"),
  );
  process.exit(1);
}
const run = (program, ...args) => spawnSync(program, args, { stdio: "inherit" }).status ?? 1;

const prepared = run("bash", join(tools, "setup.sh"), join(cache, "vscode-e2e"));
if (prepared !== 0) process.exit(prepared);
// What fails in the first says nothing about the second.
const one = run(process.execPath, join(here, "vscode.mjs"), ...process.argv.slice(2));
const several = run(process.execPath, join(here, "several-folders.mjs"));
process.exit(one || several);
