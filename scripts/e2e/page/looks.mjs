/** Every view in light and dark: a picture, and axe's word that nobody is kept out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openPage } from "./browser.mjs";
import { createTour } from "./tour.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Zoom is a window of fewer, larger pixels. */
const SMALL = {
  narrow: { width: 400, height: 860 },
  "zoomed to 200 %": { width: 720, height: 430 },
  "zoomed to 400 %": { width: 360, height: 215 },
};
const VIEWS = ["Playground", "Index", "Live", "Models"];

export async function lookChecks({ checks, tour, shot, opened, url, browser }) {
  const dark = await openPage(browser, url, "dark");
  const tours = { light: tour, dark: createTour(dark.page) };
  for (const each of Object.values(tours)) {
    await each.goTo("Playground");
    await each.openFile("shop/orders.py");
    await each.type("\nx = pricing.total_w");
    await each.ghostText();
  }
  for (const [scheme, { page, goTo, settled }] of Object.entries(tours)) {
    await checks.check(`no view keeps anybody out (${scheme})`, async () => {
      const found = [];
      for (const view of VIEWS) {
        await goTo(view);
        await settled();
        await shot(`${view.toLowerCase()}-${scheme}`, page);
        for (const { id, nodes } of await violations(page)) found.push(`${view}: ${id}: ${nodes}`);
      }
      assert.deepEqual(found, []);
    });
  }
  for (const [name, viewport] of Object.entries(SMALL))
    await checks.check(`nothing is scrolled sideways, or cut off: ${name}`, async () => {
      const { page } = tours.dark;
      await page.setViewportSize(viewport);
      for (const view of VIEWS) {
        await tours.dark.goTo(view);
        await tours.dark.settled();
        await shot(`${view.toLowerCase()}-${name.replaceAll(/\W+/g, "-").replace(/-$/, "")}`, page);
        assert.deepEqual(await page.evaluate(beyondTheEdge), [], view);
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

/** In the page. @returns what can be clicked, typed in or read beyond the window's right edge, and in no box that scrolls */
function beyondTheEdge() {
  const scrolls = (element) =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.querySelectorAll("main :is(button, input, select, p, h1, h2, td, dd), header *")]
    .filter((element) => element.checkVisibility() && !element.closest(".monaco-editor, .visually-hidden"))
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .filter((element) => element.closest("header") !== null || !scrolls(element.closest(".wide, pre, .tree")))
    .map(({ outerHTML }) => outerHTML.slice(0, 120))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : []);
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
