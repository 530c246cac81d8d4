/**
 * End to end in a real VS Code: the packaged extension is installed, a person's keys are pressed, and what shows, what is
 * saved and what was asked of the server are compared with what should be.
 *
 *   node scripts/e2e/vscode.mjs [--vsix FILE] [--url URL --workspace DIR] [--only NAME]...
 *
 * Without `--url` it starts a Dhi of its own on a copy of `fixture/`. With it, DIR is such a copy (`workspace.mjs`) that the
 * server at URL serves, and files in it are changed; checks that need another engine or an end of the server are left out.
 * Without `--vsix` the extension is packaged first. `--only` runs the named files of `checks/`. Screenshots go to
 * DHI_E2E_OUT or extension/e2e-shots. Exit status: 0 passed or skipped, 1 a check failed, 2 wrong arguments.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { branchChecks } from "./checks/branch.mjs";
import { controlChecks } from "./checks/control.mjs";
import { ghostTextChecks } from "./checks/ghost-text.mjs";
import { goneServerChecks } from "./checks/gone-server.mjs";
import { indexChecks } from "./checks/index.mjs";
import { managedServerChecks, SERVER_COMMAND } from "./checks/managed-server.mjs";
import { metricsChecks } from "./checks/metrics.mjs";
import { placeChecks } from "./checks/places.mjs";
import { typingChecks } from "./checks/typing.mjs";
import { viewChecks } from "./checks/views.mjs";
import { startFakeEngine } from "./fake-engine.mjs";
import { startRecorder } from "./recorder.mjs";
import { runSession } from "./session.mjs";
import { startStack } from "./stack.mjs";
import { createWorkspace } from "./workspace.mjs";

/** In this order: the first knows a new window, the last takes the server away. */
const GROUPS = {
  "ghost-text": ghostTextChecks,
  typing: typingChecks,
  places: placeChecks,
  metrics: metricsChecks,
  index: indexChecks,
  views: viewChecks,
  control: controlChecks,
  "managed-server": managedServerChecks,
  branch: branchChecks,
  "gone-server": goneServerChecks,
};

const { values: flags } = parseArgs({
  options: {
    ...{ vsix: { type: "string" }, url: { type: "string" }, workspace: { type: "string" } },
    only: { type: "string", multiple: true, default: Object.keys(GROUPS) },
  },
});
const unknown = flags.only.find((name) => !(name in GROUPS));
if (Boolean(flags.url) !== Boolean(flags.workspace) || unknown !== undefined) {
  console.error(
    unknown === undefined
      ? "--url and --workspace go together: the server must serve that folder"
      : `--only wants ${Object.keys(GROUPS).join(", ")}, not ${unknown}`,
  );
  process.exit(2);
}

const SETTINGS = {
  settings: {
    "dhi.excludeGlobs": ["*.local.py"],
    ...{ "dhi.localMetrics": true, "dhi.recordEdits": true },
    // Words of the open file complete what is typed in Ruby alone: a list of IntelliSense opens there and nowhere else.
    "[ruby]": { "editor.wordBasedSuggestions": "currentDocument" },
  },
  machine: { "dhi.server.command": SERVER_COMMAND },
};

/** What is found must not depend on how busy the machine is. */
const PATIENT = { RETRIEVAL_TIMEOUT_MS: "2000" };

await runSession("vscode", flags, async ({ checks, cleanUps, edit }) => {
  const workspace = flags.workspace ? resolve(flags.workspace) : ownWorkspace(cleanUps);
  const engine = await startFakeEngine();
  cleanUps.push(engine.stop);
  const stack = flags.url
    ? undefined
    : await startStack([workspace], { OPENAI_BASE_URL: engine.url, ...PATIENT });
  if (stack) cleanUps.push(stack.stop);
  const url = flags.url ?? stack.url;
  const asked = await startRecorder(url);
  cleanUps.push(asked.stop);

  const { outside, ...editor } = await edit(asked.url, { folder: workspace }, SETTINGS);
  await checks.check("the extension starts and finds the server", async () => {
    await editor.workbench.ready();
    await editor.workbench.statusBar("Dhi");
  });
  const session = { ...editor, check: checks.check, asked, url, workspace, ...(stack && { stack, engine }) };
  for (const [name, group] of Object.entries(GROUPS)) if (flags.only.includes(name)) await group(session);
  await checks.check("the page asks nothing of any other machine", () => assert.deepEqual(outside, []));
});

function ownWorkspace(cleanUps) {
  const { dir, remove } = createWorkspace();
  cleanUps.push(remove);
  return dir;
}
