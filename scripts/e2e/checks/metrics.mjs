/** What became of suggestions is told, and edits are written down, because this window's user asked for both. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./use-engine.mjs";

const FILE = "shop/checkout.py";

export async function metricsChecks({ asked, check, page, storage, workbench }) {
  await check("what became of a suggestion is told, as times and lengths", async () => {
    await workbench.openFile(FILE);
    await workbench.type("\nreturn pricing.tot");
    await workbench.ghostText(FILE);
    await page.waitForTimeout(400); // shorter is not seen
    await workbench.press("Tab");
    await until(() => asked.naming('"event":"accepted"').length > 0, "nothing was told");
    const told = asked.naming('"event":').flatMap(({ body }) => JSON.parse(body).events);
    assert.ok(told.some(({ event }) => event === "shown"));
    assert.doesNotMatch(JSON.stringify(told), /pricing|total|checkout/);
    return `${told.length} events`;
  });
  await check("edits are written down on this machine, and told nobody", async () => {
    const folder = join(storage, "edits");
    const written = () =>
      existsSync(folder) ? readdirSync(folder).map((day) => readFileSync(join(folder, day), "utf8")) : [];
    await until(() => written().join("").includes("with_tax"), "the edit is missing");
    await workbench.undoAll(FILE);
    const lines = written().join("").trimEnd().split("\n");
    assert.ok(lines.every((line) => JSON.parse(line).path.startsWith("shop/")));
    return `${lines.length} lines`;
  });
}
