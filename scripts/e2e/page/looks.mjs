/** Every view in light and dark: a picture, and axe's word that nobody is kept out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openPage } from "./browser.mjs";
import { createTour } from "./tour.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["Playground", "Index", "Live", "Models"];

export async function lookChecks({ checks, tour, shot, opened, url, browser }) {
  const dark = await openPage(browser, url, "dark");
  const tours = { light: tour, dark: createTour(dark.page) };
  await tours.dark.openFile("shop/orders.py");
  await tours.dark.type("\nx = pricing.total_w");
  await tours.dark.ghostText();
  for (const [scheme, { page, goTo }] of Object.entries(tours)) {
    await checks.check(`no view keeps anybody out (${scheme})`, async () => {
      const found = [];
      for (const view of VIEWS) {
        await goTo(view);
        await page.locator("main h1:visible").waitFor();
        await shot(`${view.toLowerCase()}-${scheme}`, page);
        for (const { id, nodes } of await violations(page)) found.push(`${view}: ${id}: ${nodes}`);
      }
      assert.deepEqual(found, []);
    });
  }
  await checks.check("a narrow window needs no scrolling sideways", async () => {
    const { page } = tours.dark;
    await page.setViewportSize({ width: 420, height: 860 });
    for (const view of VIEWS) {
      await tours.dark.goTo(view);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 420, `${view} is ${wide} wide`);
      await shot(`${view.toLowerCase()}-narrow`, page);
    }
  });
  await dark.page.context().close();
  await checks.check("a server with a token is asked with it, and it is gone with the tab", () =>
    tokenCheck({ browser, url, shot }),
  );
  await checks.check("it asks nothing of any other machine, and has no complaints", () => {
    assert.deepEqual([opened.outside, dark.outside], [[], []]);
    assert.deepEqual([opened.problems, dark.problems], [[], []]);
  });
}

/** @returns those that are serious or worse, each with the first elements that have it */
async function violations(page) {
  await page.evaluate(axe);
  const { violations: all } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return all
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)) }));
}

/** The server of this run has none: what it would refuse is refused in front of it. */
async function tokenCheck({ browser, url, shot }) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
  const page = await context.newPage();
  await page.route(/\/v1\//, (route) =>
    route.request().headers().authorization === "Bearer the-token"
      ? route.continue()
      : route.fulfill({
          status: 401,
          json: { error: { code: "unauthorized", message: "this server wants a token" } },
        }),
  );
  await page.goto(url);
  await page.getByLabel("Token").fill("the-token");
  await shot("token", page);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("treeitem", { name: "shop" }).waitFor();
  const kept = await page.evaluate(() => [
    Object.values(sessionStorage),
    Object.values(localStorage),
    document.cookie,
  ]);
  assert.deepEqual(kept, [["the-token"], ["system"], ""]);
  await context.close();
}
