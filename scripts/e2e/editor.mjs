/** A real VS Code in a headless browser, with the packaged extension. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createWorkbench } from "./workbench.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hostModule = resolve(root, "../shared/tools/vscode-e2e/host.mjs");
const cache = process.env.DHI_TOOLS_CACHE ?? join(homedir(), ".cache", "dhi-tools");
const work = join(cache, "vscode-e2e");

/** @returns what there has to be and is not; `undefined` when an editor can be started */
export const missingForEditor = () =>
  [hostModule, join(work, "host"), join(work, "tools")].find((path) => !existsSync(path));

/**
 * @param vsix the packaged extension
 * @param url of the server
 * @param settings of the user, on top of what every run has
 * @param machine settings of the machine, likewise
 * @param open `folder` or `workspace` (a `.code-workspace` file) → its path
 * @returns the page, what a user does in it, and `outside`: what the page asked of other machines
 */
export async function startEditor({ vsix, url, open, settings: more = {}, machine = {} }) {
  const { startHost } = await import(pathToFileURL(hostModule).href);
  // Nothing but Dhi may suggest, so that a key does what the check says; and .env must be there to be opened.
  const settings = { "editor.wordBasedSuggestions": "off", "search.useIgnoreFiles": false, ...more };
  const host = await startHost({ work, name: `run-dhi-${process.pid}`, settings, vsix: [vsix] });
  // The server's address is a machine setting: the user's own settings file does not count for it in a remote window.
  mkdirSync(join(host.run, "data", "Machine"), { recursive: true });
  writeFileSync(
    join(host.run, "data", "Machine", "settings.json"),
    JSON.stringify({ "dhi.serverUrl": url, ...machine }),
  );

  const address = new URL(host.url());
  address.searchParams.delete("folder");
  for (const [kind, path] of Object.entries(open)) address.searchParams.set(kind, path);
  const { page, outside } = host;
  await page.goto(address.href);
  return {
    page,
    outside,
    workbench: createWorkbench(page),
    /** Folder of the extension's own files. */
    storage: join(host.run, "data", "User", "globalStorage", "dhi.dhi"),
    async stop() {
      await host.stop();
      rmSync(host.run, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** @returns the path of the package */
export function packageExtension() {
  execFileSync("npm", ["run", "package", "-w", "extension"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { name, version } = JSON.parse(readFileSync(join(root, "extension", "package.json"), "utf8"));
  return join(root, "extension", `${name}-${version}.vsix`);
}
