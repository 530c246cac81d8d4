/**
 * End to end in a real VS Code: the packaged extension is installed, a person's keys are pressed, and the ghost text is
 * compared with what the real server says.
 *
 *   node scripts/e2e/vscode.mjs [--vsix FILE] [--url URL --workspace DIR]
 *
 * Without `--url` it starts a Dhi of its own on a copy of `fixture/`. With it, DIR is a copy of `fixture/` that the server
 * at URL serves, and files in it are changed. Without `--vsix` the extension is packaged first. Screenshots go to
 * DHI_E2E_OUT or a new folder. Exit status: 0 passed or skipped, 1 a check failed, 2 wrong arguments.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createChecks } from "./checks.mjs";
import { missingForEditor, packageExtension, startEditor } from "./editor.mjs";
import { startStack } from "./stack.mjs";
import { createWorkspace } from "./workspace.mjs";

/** The open file; the function it needs is defined in another one. */
const FILE = "shop/checkout.py";

const missing = missingForEditor();
if (missing) {
  console.log(`skipped: no VS Code to drive here (${missing} is missing)`);
  process.exit(0);
}
const { values: flags } = parseArgs({
  options: { vsix: { type: "string" }, url: { type: "string" }, workspace: { type: "string" } },
});
if (Boolean(flags.url) !== Boolean(flags.workspace)) {
  console.error("--url and --workspace go together: the server must serve that folder");
  process.exit(2);
}

const shots = process.env.DHI_E2E_OUT ?? mkdtempSync(join(tmpdir(), "dhi-e2e-shots-"));
mkdirSync(shots, { recursive: true });
const cleanUps = [];
const checks = createChecks();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => cleanUp().then(() => process.exit(1)));
try {
  await run();
} finally {
  await cleanUp();
}
console.log(`screenshots: ${shots}`);
console.log(checks.summary());
process.exit(checks.failed() ? 1 : 0);

/** Ends what was started, the latest first. */
async function cleanUp() {
  for (let last = cleanUps.pop(); last; last = cleanUps.pop()) await last();
}

async function run() {
  const vsix = resolve(flags.vsix ?? packageExtension());
  const workspace = flags.workspace ? resolve(flags.workspace) : ownWorkspace();
  const stack = flags.url ? undefined : await startStack(workspace);
  if (stack) cleanUps.push(stack.stop);
  const url = flags.url ?? stack.url;

  const editor = await startEditor({ vsix, url, open: { folder: workspace } });
  cleanUps.push(editor.stop);
  const { page, workbench, outside } = editor;
  checks.onFailure((n) => page.screenshot({ path: join(shots, `failure-${n}.png`) }));
  const session = { page, url, workspace, workbench };
  await ghostTextChecks(session);
  await indexChecks(session);
  await silenceChecks(session);
  if (stack) await goneServerChecks(session, stack);
  await checks.check("the page asks nothing of any other machine", () => assert.deepEqual(outside, []));
}

async function ghostTextChecks({ page, url, workspace, workbench }) {
  const file = join(workspace, FILE);
  const before = readFileSync(file, "utf8");
  const typed = "return pricing.tot";
  let ghost = "";

  await checks.check("the extension starts and finds the server", async () => {
    await workbench.ready();
    await workbench.statusBar("Dhi");
    await workbench.openFile(FILE);
  });
  await checks.check("ghost text shows while typing, and is what this server says", async () => {
    const completions = await completionCount(url);
    await workbench.type(typed);
    ghost = await workbench.ghostText(FILE);
    await page.screenshot({ path: join(shots, "ghost-text.png") });
    assert.ok((await completionCount(url)) > completions, "the server was not asked");
    const answer = await askServer(url, {
      path: FILE,
      languageId: "python",
      prefix: before + typed,
      suffix: "",
    });
    assert.equal(ghost, answer.completion);
    return JSON.stringify(ghost);
  });
  await checks.check("it has a name that only other files have", () => {
    assert.ok(!before.includes("total_with_tax"));
    assert.match(ghost, /^al_with_tax\(/);
  });
  await checks.check("it shrinks as its text is typed, without another request", async () => {
    const completions = await completionCount(url);
    await workbench.type(ghost.slice(0, 3));
    assert.equal(await workbench.ghostText(FILE), ghost.slice(3));
    assert.equal(await completionCount(url), completions);
  });
  await checks.check("Tab accepts it", async () => {
    await workbench.press("Tab");
    await workbench.save();
    assert.equal(readFileSync(file, "utf8"), before + typed + ghost);
    await page.screenshot({ path: join(shots, "accepted.png") });
  });
}

async function indexChecks({ page, workbench }) {
  await checks.check("a saved file is indexed, and the output tells it without code", async () => {
    await workbench.runCommand("Dhi: Show Output");
    const line = await workbench.outputLine(/index shop\/checkout\.py: \d+ chunks/);
    await workbench.outputLine(/complete shop\/checkout\.py: \d+ characters in \d+ ms/);
    await page.screenshot({ path: join(shots, "output.png") });
    await workbench.runCommand("View: Hide Panel");
    return line;
  });
  await checks.check(
    "Dhi: Index Workspace runs from the Command Palette and tells how it ended",
    async () => {
      await workbench.runCommand("Dhi: Index Workspace");
      const text = await workbench.notification("Dhi indexed");
      await page.waitForTimeout(500); // the toast slides in
      await page.screenshot({ path: join(shots, "indexed.png") });
      assert.match(text, /Dhi indexed \d+ files \(\d+ chunks\)\./);
      await workbench.clearNotifications();
      return text;
    },
  );
}

async function silenceChecks({ page, url, workbench }) {
  await checks.check("a file with secrets is never sent, and the status bar says why", async () => {
    const completions = await completionCount(url);
    await workbench.openFile(".env");
    await workbench.type("PAY");
    await workbench.statusBar("Dhi: no suggestion: this file may hold secrets");
    await page.screenshot({ path: join(shots, "secret.png") });
    assert.equal(await completionCount(url), completions);
    await workbench.press("Control+Z");
    await workbench.save();
  });
  await checks.check("the menu shows on a click", async () => {
    await workbench.clickStatusBar();
    await page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="Index Workspace"]');
    await page.screenshot({ path: join(shots, "menu.png") });
    await workbench.press("Escape");
  });
  await checks.check("switched off it asks nothing, and switched on it asks again", async () => {
    await workbench.runCommand("Dhi: Enable or Disable");
    await workbench.switchedOff();
    await workbench.openFile(FILE);
    const completions = await completionCount(url);
    await workbench.type("\nreturn pricing.tot");
    await page.waitForTimeout(1_000); // far longer than debounce and answer
    assert.equal(await workbench.shownGhostText(FILE), "");
    assert.equal(await completionCount(url), completions);
    await workbench.runCommand("Dhi: Enable or Disable");
    await workbench.switchedOn();
    await workbench.type("al");
    await workbench.ghostText(FILE);
    assert.ok((await completionCount(url)) > completions, "the server was not asked");
  });
}

async function goneServerChecks({ page, workbench }, stack) {
  await checks.check("a server that has gone is told, and what to do about it", async () => {
    await stack.stop();
    await workbench.runCommand("Dhi: Index Workspace");
    await workbench.notification("server unreachable at");
    await workbench.statusBar("Dhi: server unreachable");
    await page.waitForTimeout(500); // the toast slides in
    await page.screenshot({ path: join(shots, "unreachable.png") });
  });
}

function ownWorkspace() {
  const { dir, remove } = createWorkspace();
  cleanUps.push(remove);
  return dir;
}

async function completionCount(url) {
  const status = await (await fetch(`${url}/v1/status`)).json();
  return status.requests.completions;
}

/** Asks as the extension does. @returns the last event */
async function askServer(url, request) {
  const response = await fetch(`${url}/v1/fim`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  assert.equal(response.status, 200);
  const events = (await response.text()).split("\n\n").filter(Boolean);
  return JSON.parse(events.at(-1).replace(/^data: /, ""));
}
