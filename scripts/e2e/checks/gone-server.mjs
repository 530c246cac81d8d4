/** A server that goes while one types, and comes back. */
import assert from "node:assert/strict";

const FILE = "shop/checkout.py";

export async function goneServerChecks({ check, page, shot, stack, workbench }) {
  if (!stack) return;
  await check("a server that is killed while typing is told in the status bar", async () => {
    await workbench.openFile(FILE);
    await stack.kill();
    await workbench.type("\nreturn ord");
    await workbench.statusBar(/^Dhi: server unreachable at 127\.0\.0\.1:\d+$/);
    const hover = await workbench.statusHover();
    await shot("unreachable-hover");
    assert.match(hover, /Start.*Settings.*Doctor/s);
    await workbench.press("Escape");
  });
  await check("a command that needs it tells so, and what to do", async () => {
    await workbench.runCommand("Dhi: Index Workspace");
    await workbench.notification("server unreachable at");
    await page.waitForTimeout(500); // the toast slides in
    await shot("unreachable");
    await workbench.clearNotifications();
    await workbench.runCommand("Dhi: Doctor");
    const text = await workbench.pageText("Doctor.md");
    await shot("doctor-unreachable");
    assert.match(text, /✗ Server answers: server unreachable at/);
  });
  await check("it is found again once it is back, without a reload", async () => {
    const started = performance.now();
    await stack.start();
    await workbench.statusBar(/^Dhi(?:: indexing.*|: rag.*)?$/);
    const back = Math.round(performance.now() - started);
    await workbench.openFile(FILE);
    await workbench.deleteLine();
    await workbench.type("\nreturn pricing.ship");
    await workbench.ghostText(FILE);
    await shot("back");
    return `${back} ms after its start`;
  });
}
