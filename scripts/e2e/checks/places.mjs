/** Where ghost text stands, and where it stays away on purpose: cursors, snippets, notebooks, new files, diffs, other inputs. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until, useEngine } from "./use-engine.mjs";

/** Far longer than debounce and an answer. */
const QUIET_MS = 1_000;

const NOTEBOOK = {
  ...{ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "python" } } },
  cells: ["from shop import pricing\nbasket = []", "pass"].map((source, n) => ({
    ...{ cell_type: "code", id: `cell-${n}`, execution_count: null, metadata: {}, outputs: [], source },
  })),
};

const SNIPPETS = { e2e: { prefix: "dhi-e2e", body: "($1, $2)$0", description: "two places" } };

export async function placeChecks({ asked, check, engine, page, shot, workspace, workbench }) {
  if (!engine) return;
  const asks = () => asked.count("/v1/fim");

  await check("an engine that always has something to say is chosen", async () => {
    engine.writes("total = order.lines_total()");
    await useEngine("openai", { page, workbench });
  });
  await check("after Tab the next suggestion is there at once, without a key", async () => {
    const file = "shop/totals.rb";
    engine.writes("first = order.first()\nsecond = order.second()");
    await workbench.openFile(file);
    await workbench.type("first = ");
    await workbench.ghostTextThat(file, (shown) => shown.startsWith("order.first()"));
    await workbench.press("Tab");
    const started = performance.now();
    const next = await workbench.ghostTextThat(file, (shown) => shown.includes("order.second()"));
    await shot("next-suggestion");
    const ms = Math.round(performance.now() - started);
    await undoAll(file);
    return `${JSON.stringify(next)} ${ms} ms later`;
  });
  await check("with several cursors nothing is asked or shown", async () => {
    const file = "shop/orders.py";
    engine.writes("total = order.lines_total()");
    await workbench.openFile(file);
    await workbench.goTo(7, 1);
    await workbench.runCommand("Add Cursor Below");
    const before = asks();
    await workbench.type("total = ");
    await page.waitForTimeout(QUIET_MS);
    assert.deepEqual([asks(), await workbench.shownGhostText(file)], [before, ""]);
    await workbench.press("Escape");
    await undoAll(file);
  });
  await check("while a snippet is being filled in, Tab goes to its next place", async () => {
    const file = "shop/totals.rb";
    mkdirSync(join(workspace, ".vscode"), { recursive: true });
    writeFileSync(join(workspace, ".vscode", "e2e.code-snippets"), JSON.stringify(SNIPPETS));
    engine.writes("order.lines_total()");
    await workbench.openFile(file);
    await workbench.type("\n");
    await insertSnippet();
    await workbench.type("order.");
    await workbench.ghostTextThat(file, (shown) => shown.startsWith("lines_total"));
    await shot("snippet");
    await workbench.press("Tab");
    await workbench.type("3");
    await workbench.press("Escape");
    await workbench.press("Escape");
    await workbench.lineThat(file, (line) => line.trim() === "(order., 3)");
    await undoAll(file);
  });
  await check("in a notebook a cell goes on from the cells above", async () => {
    engine.writes("basket.add(order)");
    writeFileSync(join(workspace, "shop", "notes.ipynb"), JSON.stringify(NOTEBOOK));
    await workbench.openNotebook("shop/notes.ipynb");
    const cell = page.locator(".notebookOverlay .cell-editor-container .monaco-editor").nth(1);
    await cell.click();
    await workbench.press("Control+End");
    await workbench.type("\nbasket.");
    await page.locator(".notebookOverlay .ghost-text-decoration").first().waitFor();
    await shot("notebook");
    const { path, prefix } = asked.last("/v1/fim");
    assert.deepEqual([path, prefix.includes("basket = []\n")], ["shop/notes.ipynb", true]);
    await workbench.closeWithoutSaving();
  });
  await check("a new file counts as one of the folder", async () => {
    engine.writes("total = order.lines_total()");
    await workbench.press("Control+Alt+n");
    const file = "Untitled-1";
    await page.waitForSelector(`.monaco-editor[data-uri="untitled:${file}"]`);
    await workbench.type("total = order.");
    await page.locator(".ghost-text-decoration").first().waitFor();
    await shot("untitled");
    assert.equal(asked.last("/v1/fim").path, file);
    await workbench.closeWithoutSaving();
  });
  await check("in a diff the new side has ghost text", async () => {
    const file = "shop/orders.py";
    engine.writes("total = order.lines_total()");
    await workbench.openFile(file);
    await workbench.type("\n# changed\n");
    await workbench.save();
    await page.locator('.editor-actions [aria-label^="Open Changes"]').click();
    const side = page.locator(".monaco-diff-editor .editor.modified .view-lines").first();
    await side.waitFor();
    await side.click();
    await workbench.press("Control+End");
    await workbench.type("total = order.");
    await page.locator(".monaco-diff-editor .editor.modified .ghost-text-decoration").first().waitFor();
    await shot("diff");
    await workbench.press("Escape");
    await workbench.closeWithoutSaving();
  });
  await check("in the message of a commit nothing is asked", async () => {
    await workbench.press("Control+Shift+g");
    await page.locator(".scm-editor .monaco-editor").first().click();
    const before = asks();
    await workbench.type("total = order.");
    await page.waitForTimeout(QUIET_MS);
    await shot("commit-message");
    assert.equal(asks(), before);
    await workbench.press("Control+A");
    await workbench.press("Delete");
    await workbench.press("Control+Shift+e");
  });
  await check("switched off for one language it is on for another", async () => {
    engine.writes("total = order.lines_total()");
    await workbench.openFile("shop/checkout.py");
    await workbench.runCommand("Dhi: Enable or Disable for This Language");
    await workbench.statusBar("Dhi: off for python");
    const before = asks();
    await workbench.openFile("shop/checkout.py");
    await workbench.type("\ntotal = order.");
    await page.waitForTimeout(QUIET_MS);
    assert.equal(asks(), before);
    await undoAll("shop/checkout.py");
    await workbench.openFile("shop/totals.rb");
    await workbench.type("\ntotal = order.");
    await until(() => asks() > before, "nothing was asked for Ruby");
    await undoAll("shop/totals.rb");
    await workbench.openFile("shop/checkout.py");
    await workbench.runCommand("Dhi: Enable or Disable for This Language");
    await workbench.switchedOn();
  });
  await check("the engine is changed back", async () => {
    engine.writes("");
    await useEngine("instant", { page, workbench });
  });

  async function undoAll(file) {
    await workbench.press("Escape");
    await workbench.undoAll(file);
  }

  /** VS Code reads a new file of snippets a moment later. */
  async function insertSnippet() {
    const deadline = Date.now() + 20_000;
    for (;;) {
      await workbench.runCommand("Snippets: Insert Snippet");
      const entry = page.locator('.quick-input-list .monaco-list-row[aria-label*="dhi-e2e"]').first();
      const isThere = await entry.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
      if (isThere) return entry.click();
      assert.ok(Date.now() < deadline, "no such snippet");
      await workbench.press("Escape");
    }
  }
}
