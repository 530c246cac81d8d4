/** Off means off: what is excluded, switched off, snoozed or left to be asked for sends nothing. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "shop/checkout.py";

/** Far longer than debounce, an answer and the notice of a saved file. */
const QUIET_MS = 1_000;

export async function controlChecks({ asked, check, page, shot, workspace, workbench }) {
  for (const [path, words] of [
    [".env", "this file may hold secrets"],
    ["shop/settings.local.py", "*.local.py in dhi.excludeGlobs excludes this file"],
  ]) {
    await check(`of ${path} nothing is ever sent, and the status bar says why`, async () => {
      writeFileSync(join(workspace, path), "PAYMENT_TOKEN=not-a-real-one\n");
      const completions = asked.count("/v1/fim");
      await workbench.openFile(path);
      await workbench.type("PAY");
      await workbench.statusBar(`Dhi: no suggestion: ${words}`);
      await shot("excluded");
      await workbench.save();
      await page.waitForTimeout(QUIET_MS);
      assert.deepEqual([asked.count("/v1/fim"), asked.naming(path)], [completions, []]);
      assert.deepEqual(asked.naming("not-a-real-one"), []);
    });
  }
  await check("the menu shows on a click", async () => {
    await workbench.clickStatusBar();
    await page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="Why No Suggestion Here"]');
    await shot("menu");
    await workbench.press("Escape");
  });
  await check("switched off it sends nothing at all, and switched on it asks again", async () => {
    await workbench.runCommand("Dhi: Enable or Disable");
    await workbench.switchedOff();
    await workbench.openFile(FILE);
    await page.waitForTimeout(QUIET_MS); // unsaved text is withdrawn
    const requests = asked.total();
    await workbench.type("\nreturn pricing.tot");
    await workbench.save();
    await page.waitForTimeout(QUIET_MS);
    assert.equal(await workbench.shownGhostText(FILE), "");
    assert.equal(asked.total(), requests);
    await workbench.runCommand("Dhi: Enable or Disable");
    await workbench.switchedOn();
    await workbench.type("al");
    await workbench.ghostText(FILE);
    await workbench.deleteLine(); // a line that ends there would be learnt from
  });
  await check("snoozed it sends nothing, and a click on the status bar ends that", async () => {
    await workbench.runCommand("Dhi: Snooze");
    await workbench.pick("5 minutes");
    await workbench.statusBar(/^Dhi: snoozed until /);
    await shot("snoozed");
    await page.waitForTimeout(QUIET_MS); // unsaved text is withdrawn
    const requests = asked.total();
    await workbench.type("\nreturn pricing.tot");
    await page.waitForTimeout(QUIET_MS);
    assert.equal(asked.total(), requests);
    await workbench.clickStatusBar();
    await workbench.statusBar("Dhi");
    await workbench.openFile(FILE); // the click took the focus
    await workbench.type("al");
    await workbench.ghostText(FILE);
    await workbench.deleteLine(); // a line that ends there would be learnt from
  });
  await check("on demand it asks only when told to", async () => {
    await workbench.runCommand("Dhi: Suggest While Typing or on Demand");
    await workbench.statusBar("Dhi: on demand");
    const completions = asked.count("/v1/fim");
    await workbench.type("\nreturn pricing.tot");
    await page.waitForTimeout(QUIET_MS);
    assert.equal(asked.count("/v1/fim"), completions);
    await workbench.press("Alt+Backslash");
    await workbench.ghostText(FILE);
    await workbench.deleteLine();
    await workbench.runCommand("Dhi: Suggest While Typing or on Demand");
    await workbench.save();
  });
}
