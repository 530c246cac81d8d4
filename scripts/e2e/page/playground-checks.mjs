/** Load, type, accept, and see why. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HUGE, LONG_PATH } from "./odd-files.mjs";
import { eventually } from "./tour.mjs";

const FILE = "shop/checkout.py";
const TYPED = "return pricing.total_w";
const GHOST = "ith_tax(cart.lines, cart.tax_rate)";
/** Bytes of JavaScript that are sent for everything the page has. */
const MOST_SCRIPT = 1_500_000;
/** Milliseconds to the first paint, on a machine that is busy with the tests of others too. */
const FIRST_PAINT = 2_000;

export async function playgroundChecks({ checks, tour, shot, opened, url, workspace }) {
  const { page, inspector } = tour;
  const before = readFileSync(join(workspace, FILE), "utf8");

  await checks.check("the page shows soon, and is no larger than it may be", async () => {
    await page.getByRole("treeitem", { name: "shop" }).waitFor();
    await page.getByText("Loading the editor").waitFor({ state: "detached" });
    const paint = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    );
    assert.ok(paint < FIRST_PAINT, `first paint after ${paint} ms`);
    assert.ok(opened.sentBytes() < MOST_SCRIPT, `${opened.sentBytes()} bytes of JavaScript`);
    return `first paint ${Math.round(paint)} ms, ${opened.sentBytes()} bytes of JavaScript`;
  });
  await checks.check("the tree has what is indexed, and no secret; nor can one be read", async () => {
    await page.getByRole("treeitem", { name: "shop" }).click();
    await page.locator('[role=treeitem][title="shop/orders.py"]').waitFor();
    const listed = await page.getByRole("treeitem").allTextContents();
    assert.ok(!listed.some((name) => name.includes(".env")), listed.join());
    assert.equal((await fetch(`${url}/v1/file?path=.env`)).status, 404);
    assert.equal((await fetch(`${url}/v1/file?path=../../etc/passwd`)).status, 400);
  });
  await checks.check("the keyboard goes through the tree", async () => {
    await page.locator('[role=treeitem][title="shop"]').focus();
    await tour.press("ArrowLeft");
    assert.equal(await page.locator('[role=treeitem][title="shop/orders.py"]').count(), 0);
    await tour.press("ArrowRight");
    await page.locator('[role=treeitem][title="shop/orders.py"]').waitFor();
    await tour.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-level")), "2");
  });
  await checks.check("typing shows ghost text with a name that only another file has", async () => {
    await tour.openFile(FILE);
    await tour.type(`\n${TYPED}`);
    assert.equal(await tour.ghostText(), GHOST);
    await tour.says(page.locator(".answer-line"), /(Shown|Goes on) .* · openai · rag/);
    await shot("ghost-text");
  });
  await checks.check("the sources panel names the file with the definition, and its lines", async () => {
    const source = inspector.getByRole("button", { name: /^shop\/pricing\.py:\d/ });
    await source.waitFor();
    // Which legs found it depends on the keystroke that was answered.
    assert.match(
      await inspector.locator(".sources").textContent(),
      /(vector|lexical|definitions|similar).*\d+ tokens/,
    );
    return source.textContent();
  });
  await checks.check("Tab accepts it; the disk is not touched, and the server knows the buffer", async () => {
    await page.click(".monaco-editor .view-lines");
    await tour.press("Control+End");
    await tour.press("Alt+\\");
    await tour.ghostText();
    await tour.press("Tab");
    await page.waitForSelector(".ghost-text-decoration", { state: "detached" });
    await eventually(async () =>
      assert.match(await tour.shownText(), /return pricing\.total_with_tax\(cart\.lines, cart\.tax_rate\)/),
    );
    assert.equal(readFileSync(join(workspace, FILE), "utf8"), before);
    await tour.says(page.locator('[role=treeitem][title="shop/checkout.py"]'), /edited/);
    await eventually(async () => {
      const { text } = await (await fetch(`${url}/v1/file?path=${FILE}`)).json();
      assert.match(text, /total_with_tax\(cart\.lines/);
    });
  });
  await checks.check("the prompt shows with its parts, the time with its stages", async () => {
    await tour.inspect("Prompt");
    await inspector.locator("pre.prompt .kind.snippet").first().waitFor();
    assert.match(await inspector.locator(".legend").textContent(), /snippet \d+/);
    await shot("prompt");
    await tour.inspect("Timing");
    await tour.says(inspector, /retrieval.*prompt.*prefill.*decode.*post-process/s);
    await tour.says(inspector, /Retrieval by leg/);
    await shot("timing");
  });
  await checks.check("silence says why", async () => {
    await page.click(".monaco-editor .view-lines");
    await tour.press("Control+End");
    await tour.type("\n# x");
    await tour.says(page.locator(".answer-line"), /Nothing shown: the engine had nothing to add/);
  });
  await checks.check("one cursor in two modes: only with the repository the name is known", async () => {
    for (let i = 0; i < 5; i++) await tour.press("Backspace");
    await tour.type("\nx = pricing.shipping_c");
    await tour.inspect("Compare");
    await page.getByRole("button", { name: "Ask both" }).click();
    const sides = page.locator(".sides article");
    await tour.says(sides.nth(0), /rag.*shipping_cost\(cart/);
    await tour.says(sides.nth(1), /raw.*shipping_c_unknown/);
    await shot("compare");
    await tour.inspect("What it knew");
  });
  await checks.check("the bars of an answer add up, and so do the tokens of a prompt", async () => {
    await tour.inspect("Timing");
    const [, whole] = /([\d.]+) ms from the last key/.exec(await tour.says(inspector, /from the last key/));
    const bars = await inspector
      .locator(".waterfall")
      .first()
      .locator(".fill")
      .evaluateAll((all) =>
        all.map(({ style }) =>
          [style.getPropertyValue("--start"), style.getPropertyValue("--share")].map(Number),
        ),
      );
    for (const [i, [start]] of bars.entries()) {
      const [before = 0, length = 0] = bars[i - 1] ?? [];
      assert.ok(Math.abs(before + length - start) < 1e-6, `bar ${i} begins at ${start}`);
    }
    const [start, share] = bars.at(-1);
    assert.ok(Math.abs(start + share - 1) < 1e-6, `the last of ${whole} ms ends at ${start + share}`);
    await tour.inspect("Prompt");
    const [, said] = /([\d,]+) tokens \(estimated\)/.exec(await tour.says(inspector, /tokens \(estimated\)/));
    const kinds = await inspector.locator(".legend b").allTextContents();
    const numberOf = (text) => Number(text.replaceAll(",", ""));
    assert.equal(
      kinds.reduce((sum, text) => sum + numberOf(text), 0),
      numberOf(said),
    );
    await inspector.getByText(/parts, one by one/).click();
    const piece = inspector.getByRole("button", { name: "suffix" });
    await piece.click();
    assert.ok(await inspector.locator("pre.prompt .kind.suffix").first().isVisible());
    await tour.inspect("What it knew");
  });
  await checks.check("a file that is long, empty or deep in folders opens as any other", async () => {
    await tour.openFile(HUGE.path);
    await tour.says(page.locator(".answer-line"), new RegExp(`Line ${HUGE.lines + 1}, column 1`));
    await tour.openFile("empty.py");
    await tour.says(page.locator(".answer-line"), /Line 1, column 1/);
    await tour.openFile(LONG_PATH);
    const { right, width } = await page.locator(".toolbar h1").evaluate((heading) => {
      const { right: edge } = heading.getBoundingClientRect();
      return { right: edge, width: heading.scrollWidth };
    });
    assert.ok(width > 0 && right < 1_440, `the path ends at ${right}`);
    await shot("long-path");
    await tour.openFile(FILE);
  });
  await checks.check("edits stay when another view shows, and can be put back", async () => {
    await tour.goTo("Live");
    await tour.goTo("Playground");
    await eventually(async () => assert.match(await tour.shownText(), /x = pricing\.shipping_c/));
    await page.getByRole("button", { name: "Discard edits" }).click();
    await eventually(async () => assert.doesNotMatch(await tour.shownText(), /pricing\.shipping_c/));
    await eventually(async () => {
      const { text } = await (await fetch(`${url}/v1/file?path=${FILE}`)).json();
      assert.equal(text, before);
    });
  });
}
