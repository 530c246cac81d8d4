/** Saved files and whole workspaces are indexed, and the user sees it. */
import assert from "node:assert/strict";

const FILE = "shop/checkout.py";

export async function indexChecks({ asked, check, page, shot, workbench }) {
  await check("a saved file is indexed, and the output tells it without code", async () => {
    await workbench.openFile(FILE);
    await workbench.type("\n");
    await workbench.save();
    await workbench.runCommand("Dhi: Show Output");
    const line = await workbench.outputLine(/index shop\/checkout\.py: \d+ chunks/);
    await shot("output");
    await workbench.runCommand("View: Hide Panel");
    return line;
  });
  await check("Dhi: Index Workspace shows its progress and tells how it ended", async () => {
    const fast = asked.delay(/^\/v1\/jobs\//, 700);
    await workbench.runCommand("Dhi: Index Workspace");
    const progress = page.locator(".notification-toast").filter({ hasText: "Dhi: indexing" });
    await progress.locator(".monaco-progress-container.active").waitFor();
    await progress.getByText("Cancel").waitFor();
    await page.waitForTimeout(300); // the toast slides in
    await shot("indexing");
    fast();
    const text = await workbench.notification("Dhi indexed");
    await page.waitForTimeout(500); // the toast slides in
    await shot("indexed");
    assert.match(text, /Dhi indexed \d+ files \(\d+ chunks\)\./);
    await workbench.clearNotifications();
    return text;
  });
}
