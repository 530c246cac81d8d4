/**
 * End to end in a real VS Code with several folders open: two that the server serves, with files of the same names, and
 * one that it does not.
 *
 *   node scripts/e2e/several-folders.mjs [--vsix FILE]
 *
 * Without `--vsix` the extension is packaged first. Screenshots go to DHI_E2E_OUT or extension/e2e-shots. Exit status: 0 passed
 * or skipped, 1 a check failed.
 */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runSession } from "./session.mjs";
import { startStack } from "./stack.mjs";
import { createWorkspace } from "./workspace.mjs";

/** Every folder has it; what it calls is defined in another file of the same folder. */
const FILE = "shop/checkout.py";

const { values: flags } = parseArgs({ options: { vsix: { type: "string" } } });
await runSession("several-folders", flags, async ({ checks, cleanUps, edit }) => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "dhi-e2e-several-")));
  cleanUps.push(() => rmSync(place, { recursive: true, force: true, maxRetries: 3 }));
  const folders = { notes: folder(place, "notes"), bank: folder(place, "bank"), shop: folder(place, "shop") };
  renameInAll(folders.bank, "total_with_tax", "tally_for_bank");
  const stack = await startStack([folders.shop, folders.bank]);
  cleanUps.push(stack.stop);
  const workspace = join(place, "all.code-workspace");
  writeFileSync(workspace, JSON.stringify({ folders: Object.values(folders).map((path) => ({ path })) }));
  const { workbench, outside, shot, storage } = await edit(stack.url, { workspace });
  const open = (name) => workbench.openFile(`${name}/${FILE}`, join(folders[name], FILE));

  await checks.check("the extension finds the server", async () => {
    await workbench.ready();
    await workbench.statusBar("Dhi");
  });
  for (const [name, typed, ghost] of [
    ["shop", "return pricing.tot", "al_with_tax("],
    ["bank", "return pricing.tal", "ly_for_bank("],
  ]) {
    await checks.check(`ghost text in ${name} comes from ${name}`, async () => {
      await open(name);
      await workbench.type(typed);
      const shown = await workbench.ghostText(`${name}/${FILE}`);
      await shot(name);
      assert.ok(shown.startsWith(ghost), `${JSON.stringify(shown)} does not start with ${ghost}`);
      await workbench.press("Tab");
      await workbench.save();
      return JSON.stringify(shown);
    });
  }
  await checks.check("a folder that is not served gets none, and the status bar says why", async () => {
    await open("notes");
    await workbench.type("return pricing.tot");
    await workbench.statusBar("Dhi: no suggestion: the server does not serve this file's folder");
    await shot("notes");
  });
  await checks.check("Dhi: Index Workspace does what is served and names what is not", async () => {
    await workbench.runCommand("Dhi: Index Workspace");
    const text = await workbench.notification("Dhi indexed");
    const each = "\\d+ files \\(\\d+ chunks\\)";
    assert.match(
      text,
      new RegExp(`^Dhi indexed bank: ${each}; shop: ${each}\\. The server does not serve notes\\.$`),
    );
    await workbench.clearNotifications();
    return text;
  });
  await checks.check("saves were indexed, each in its own workspace", async () => {
    await workbench.runCommand("Dhi: Show Output");
    await workbench.outputLine(/./); // it has the focus by then
    await workbench.runCommand("View: Toggle Maximized Panel"); // only lines that are drawn are found
    for (const name of ["shop", "bank"])
      await workbench.outputLine(new RegExp(`index ${name}: ${FILE}: \\d+ chunks`));
    await shot("output");
  });
  await checks.check("no edit is written down unless that was asked for", () =>
    assert.equal(existsSync(join(storage, "edits")), false),
  );
  await checks.check("the page asks nothing of any other machine", () => assert.deepEqual(outside, []));
});

function folder(place, name) {
  const path = join(place, name);
  renameSync(createWorkspace().dir, path);
  return path;
}

function renameInAll(dir, from, to) {
  for (const path of readdirSync(dir, { recursive: true }).filter((path) => path.endsWith(".py"))) {
    const file = join(dir, path);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));
  }
}
