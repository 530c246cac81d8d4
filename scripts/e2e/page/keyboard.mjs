/** The page by keyboard alone: everything is reached, is seen to be reached, and is left again. */
import assert from "node:assert/strict";
import { eventually } from "./tour.mjs";

/** More than any view has. */
const MOST_STOPS = 500;

export async function keyboardChecks({ checks, tour, shot }) {
  const { page } = tour;
  const forward = () => walk(page, "Tab");

  await checks.check("Tab goes once through all of a view, and shows where it is", async () => {
    const counts = [];
    for (const view of ["Index", "Live", "Models"]) {
      await tour.goTo(view);
      await tour.settled();
      const stops = await forward();
      assert.match(stops[0].name, /Skip to the content/);
      assert.deepEqual(
        stops.slice(1, 5).map(({ name }) => name.toLowerCase()),
        ["playground", "index", "live", "models"],
      );
      const missed = await page.evaluate(notReached);
      assert.deepEqual(missed, [], view);
      assert.deepEqual(
        stops.filter(({ isSeen }) => !isSeen),
        [],
        view,
      );
      counts.push(`${view} ${stops.length}`);
    }
    return counts.join(", ");
  });
  await checks.check("a long list is skipped with one key", async () => {
    await tour.goTo("Index");
    await page.getByRole("searchbox", { name: "Find a file that is left out" }).focus();
    const skip = page.getByRole("button", { name: /^Skip \d+ files$/ });
    for (let i = 0; i < 9 && !(await skip.evaluate((it) => it === document.activeElement)); i++)
      await tour.press("Tab");
    assert.ok((await skip.boundingBox()).width > 20, "it is not seen");
    await tour.press("Enter");
    const { id } = await page.evaluate(() => ({ id: document.activeElement.id }));
    assert.equal(id, await page.getByLabel("Why is a path in, or out?").getAttribute("id"));
  });
  await checks.check("Ctrl+M lets Tab out of the editor, both ways, and back in", async () => {
    await tour.goTo("Playground");
    await tour.openFile("shop/orders.py");
    const isInEditor = () => page.evaluate(() => document.activeElement?.closest(".monaco-editor") !== null);
    assert.ok(await isInEditor());
    const text = await tour.shownText();
    await tour.press("Control+m");
    await tour.press("Tab");
    assert.ok(!(await isInEditor()), "Tab stays in the editor");
    await tour.press("Shift+Tab");
    assert.ok(await isInEditor());
    await tour.press("Shift+Tab");
    assert.ok(!(await isInEditor()), "Shift+Tab stays in the editor");
    const stops = await forward();
    assert.deepEqual(await page.evaluate(notReached), []);
    assert.deepEqual(
      stops.filter(({ isSeen }) => !isSeen),
      [],
    );
    assert.equal(await tour.shownText(), text);
    await page.locator(".monaco-editor .view-lines").click();
    await tour.press("Control+m");
    return `${stops.length} stops`;
  });
  await checks.check("a file is found, opened and completed without a mouse", async () => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.getByRole("searchbox", { name: "Find a file" }).focus();
    await tour.type("checkout");
    // What the first letters found goes again.
    const found = page.locator("[role=treeitem]");
    await eventually(async () =>
      assert.deepEqual(await found.evaluateAll((rows) => rows.map(({ title }) => title)), [
        "shop/checkout.py",
      ]),
    );
    await tour.press("Tab");
    await tour.press("Enter");
    await page.waitForSelector('.monaco-editor[data-uri$="/shop/checkout.py"] .view-line');
    await tour.press("Control+End");
    await tour.type("\n    y = pricing.shipping_c");
    await tour.ghostText();
    await shot("keyboard");
    await tour.press("Tab");
    await tour.says(page.locator(".monaco-editor"), /shipping_cost\(cart\.lines, cart\.tax_rate\)/);
    await page.getByRole("searchbox", { name: "Find a file" }).fill("");
    await page.getByRole("button", { name: "Discard edits" }).click();
  });
}

/** Presses the key until the focus is where it began. @returns where it has been, and whether that could be seen */
async function walk(page, key) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    globalThis.reached = new Set();
    // Where a walk begins is where was clicked or focused last.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
  });
  const stops = [];
  for (;;) {
    assert.ok(stops.length < MOST_STOPS, `${key} never comes around: ${JSON.stringify(stops.slice(-3))}`);
    await page.keyboard.press(key);
    const stop = await page.evaluate(focused);
    if (stop === null) return stops;
    stops.push(stop);
  }
}

/** In the page. @returns `null` when the focus has left it, or has been there before */
function focused() {
  const element = document.activeElement;
  if (element === null || element === document.body || globalThis.reached.has(element)) return null;
  globalThis.reached.add(element);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  // The editor draws a cursor.
  const isMarked =
    element.closest(".monaco-editor") !== null ||
    (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2);
  const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40) ?? "";
  return { name: name || element.tagName, isSeen: isInWindow && isMarked };
}

/** In the page. @returns what can be used and was not come by */
function notReached() {
  const usable = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary";
  return [...document.querySelectorAll(usable)]
    .filter((element) => element.checkVisibility() && element.tabIndex >= 0)
    .filter((element) => element.closest(".monaco-editor") === null && !globalThis.reached.has(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
}
