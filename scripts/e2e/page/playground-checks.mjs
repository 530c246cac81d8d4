/** Load, type, accept, and see why. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HUGE, LONG_PATH } from "./odd-files.mjs";
import { eventually } from "./tour.mjs";
import { BUDGETS, builtFiles, firstFiles, sentOf } from "./weight.mjs";

const FILE = "shop/checkout.py";
const TYPED = "return pricing.total_w";
const GHOST = "ith_tax(cart.lines, cart.tax_rate)";
export async function playgroundChecks({ checks, tour, shot, opened, url, workspace }) {
  const { page, inspector } = tour;
  const before = readFileSync(join(workspace, FILE), "utf8");

  await checks.check("the page weighs no more than it may", async () => {
    await page.getByRole("treeitem", { name: "shop" }).waitFor();
    await page.getByText("Loading the editor").waitFor({ state: "detached" });
    const files = builtFiles();
    const first = firstFiles(files);
    const over = Object.entries({ first, all: files }).flatMap(([what, those]) =>
      ["js", "css"]
        .map((kind) => ({ what, kind, sent: sentOf(those, kind), most: BUDGETS[what][kind] }))
        .filter(({ sent, most }) => sent === 0 || sent > most),
    );
    assert.deepEqual(over, []);
    assert.ok(opened.sentBytes() <= BUDGETS.all.js, `${opened.sentBytes()} bytes of JavaScript`);
    return `${opened.sentBytes()} bytes of JavaScript, ${sentOf(first, "js")} of them before something shows`;
  });
  await checks.check("nothing but the server's own files may run in the page, or frame it", async () => {
    const { headers } = await fetch(url);
    const policy = headers.get("content-security-policy");
    const of = Object.fromEntries(policy.split("; ").map((rule) => rule.split(/ (.*)/)));
    const {
      "default-src": others,
      "script-src": script,
      "connect-src": connect,
      "frame-ancestors": frame,
    } = of;
    assert.deepEqual([others, script, connect, frame], ["'none'", "'self'", "'self'", "'none'"]);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(await page.locator("script:not([src])").count(), 0);
    const foreign = await fetch(`${url}/v1/status`, { headers: { origin: "http://elsewhere.example" } });
    assert.equal(foreign.status, 403);
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
    await tour.says(page.locator(".answer-line"), /Nothing shown: the model had nothing to add/);
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
    const piece = inspector.getByRole("button", { name: "prefix", exact: true });
    await piece.click();
    assert.ok(await inspector.locator("pre.prompt .kind.prefix").first().isVisible());
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
