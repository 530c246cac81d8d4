/** What the index has, and what is found in it. */
import assert from "node:assert/strict";
import { PICTURES } from "./odd-files.mjs";
import { eventually } from "./tour.mjs";

export async function indexChecks({ checks, tour, url }) {
  const { page } = tour;
  await checks.check("the index says how much it has, and why a file is left out", async () => {
    await tour.goTo("Index");
    const { indexer } = await (await fetch(`${url}/v1/status`)).json();
    await tour.says(page.locator(".figures"), new RegExp(`${indexer.files} files.*${indexer.chunks} chunks`));
    await tour.says(page.locator("table", { hasText: "language" }), /python.*\d kB|python\d/);
    await page.getByLabel("Why is a path in, or out?").fill(".env");
    await page.getByRole("button", { name: "Explain" }).click();
    await tour.says(page.locator(".answer"), /Out \.env/);
  });
  await checks.check("what is left out is listed by reason and path, a page at a time", async () => {
    const card = page.locator("section.left-out");
    const rows = card.locator("tbody tr");
    const { reasons } = await (await fetch(`${url}/v1/skipped`)).json();
    for (const { reason, files } of reasons) await tour.says(card, new RegExp(`${reason} ?${files}`));
    await card.getByRole("button", { name: `binary ${PICTURES}` }).click();
    await tour.says(card, new RegExp(`200 of ${PICTURES} files`));
    await eventually(async () => assert.doesNotMatch(await rows.first().textContent(), /minified/));
    await card.getByRole("button", { name: "Show more" }).click();
    await tour.says(rows.last(), /pictures\/99\.png/);
    assert.equal(await rows.count(), PICTURES);
    await page.getByLabel("Find a file that is left out").fill("pictures/20");
    await tour.says(card, /binary 6/);
    await card.getByRole("button", { name: "pictures/204.png" }).click();
    await tour.says(card.locator(".answer"), /Out pictures\/204\.png · binary/);
    await page.getByLabel("Find a file that is left out").fill("nothing like this");
    await tour.says(card, /No file that is left out is like that/);
    await page.getByLabel("Find a file that is left out").fill("");
    await card.getByRole("button", { name: /^all/ }).click();
  });
  await checks.check("a full run moves the progress", async () => {
    const bar = page.getByRole("progressbar", { name: "Index" });
    const { job } = (await (await fetch(`${url}/v1/status`)).json()).indexer;
    await page.getByRole("button", { name: "Look at every file again" }).click();
    await tour.says(page.locator(".progress"), /\d+ of \d+ files looked at/);
    await page.waitForFunction(
      async (before) => (await (await fetch("/v1/status")).json()).indexer.job.id !== before,
      job.id,
    );
    assert.ok((await bar.getAttribute("value")) !== "0");
  });
  await checks.check("search finds, and a result opens in the playground at its line", async () => {
    // With the cursor at its end, where it would stay.
    await tour.goTo("Playground");
    await tour.openFile("shop/pricing.py");
    await tour.goTo("Index");
    await page.getByLabel("In words, or in names").fill("sum of all lines, tax included");
    await page.getByRole("button", { name: "Search" }).click();
    const first = page.locator(".results > li").first();
    await tour.says(first, /shop\/pricing\.py/);
    const [, line] = /:(\d+)–/.exec(await first.textContent());
    await first.getByRole("button").click();
    await page.waitForSelector('.monaco-editor[data-uri$="/shop/pricing.py"] .view-line');
    await tour.says(page.locator(".answer-line"), new RegExp(`Line ${line},`));
    await tour.goTo("Index");
  });
  await checks.check("callers of a name lead on", async () => {
    await page.getByLabel("A name that is defined here").fill("total_with_tax");
    await page.getByRole("button", { name: "Look up" }).click();
    await tour.says(page.locator(".call-graph"), /used by [2-9].*order_total.*shop\/orders\.py/);
    await page.locator(".call-graph").getByRole("button", { name: "order_total" }).click();
    await tour.says(page.locator(".call-graph .centre"), /order_total/);
    await tour.says(page.locator(".call-graph"), /uses \d.*total_with_tax/);
  });
  await checks.check("calls are drawn, and a name in the picture leads on too", async () => {
    const picture = page.getByRole("region", { name: "Call graph" });
    const node = (name) => picture.getByRole("button", { name });
    await node(/^total_with_tax/).focus();
    await tour.press("Enter");
    await tour.says(page.locator(".call-graph .centre"), /total_with_tax/);
    assert.equal(await node(/^total_with_tax/).getAttribute("aria-current"), "true");
    assert.ok(await node(/^order_total/).isVisible(), "what was looked at before stays");
  });
}
