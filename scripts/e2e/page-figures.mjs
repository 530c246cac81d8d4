/**
 * What the page weighs and how soon it is there, on a Dhi that runs: several loads in a real Chromium, each with nothing kept
 * from the one before. Prints the tables of docs/bench/page.md.
 *
 *   node scripts/e2e/page-figures.mjs http://127.0.0.1:8000 [LOADS, 5 unless told]
 */
import { loadavg } from "node:os";
import { missingForBrowser, startBrowser } from "./page/browser.mjs";
import { BUDGETS, builtFiles, firstFiles, sentOf } from "./page/weight.mjs";

const [url, loads = "5"] = process.argv.slice(2);
const missing = missingForBrowser();
if (!url || missing) {
  console.error(url ? `no browser to drive here (${missing} is missing)` : "say where it runs");
  process.exit(2);
}
const browser = await startBrowser();
try {
  const files = builtFiles();
  printWeights(files);
  const runs = [];
  for (let i = 0; i < Number(loads); i++) runs.push(await load());
  printRuns(runs);
} finally {
  await browser.close();
}

function printWeights(files) {
  const first = firstFiles(files);
  const row = (what, sent, budget) => console.log(`| ${what} | ${grouped(sent)} | ${grouped(budget)} |`);
  console.log("| sent, compressed | bytes | budget |\n|---|---:|---:|");
  row("JavaScript before something shows", sentOf(first, "js"), BUDGETS.first.js);
  row("CSS before something shows", sentOf(first, "css"), BUDGETS.first.css);
  row("all JavaScript, editor and languages included", sentOf(files, "js"), BUDGETS.all.js);
  row("all CSS", sentOf(files, "css"), BUDGETS.all.css);
  console.log("\n| entry | bytes | sent |\n|---|---:|---:|");
  for (const { name, bytes, sent } of files.slice(0, 8))
    console.log(`| \`${name}\` | ${grouped(bytes)} | ${grouped(sent)} |`);
  const rest = files.slice(8);
  const sum = (key) => rest.reduce((whole, file) => whole + file[key], 0);
  console.log(
    `| ${rest.length} more, nearly all for one language each | ${grouped(sum("bytes"))} | ${grouped(sum("sent"))} |\n`,
  );
}

/** @returns milliseconds from the start of the navigation, and what was asked for */
async function load() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 } });
  try {
    const page = await context.newPage();
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.addInitScript(() => {
      globalThis.longTasks = [];
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          globalThis.longTasks.push([startTime, duration]);
      }).observe({ type: "longtask", buffered: true });
      globalThis.shifts = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.shifts += value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url);
    const now = () => page.evaluate(() => performance.now());
    await page.getByRole("treeitem").first().waitFor();
    const tree = await now();
    const beforeEditor = asked.filter((address) => !/monaco|worker/.test(address)).length;
    await page.getByText("Loading the editor").waitFor({ state: "detached" });
    const editor = await now();
    const seen = await page.evaluate(() => ({
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      longTasks: globalThis.longTasks,
      shifts: globalThis.shifts,
    }));
    const { paint } = seen;
    const blocked = seen.longTasks.filter(([start]) => start >= paint).map(([, ms]) => ms - 50);
    return {
      ...{ paint, tree, editor, requests: beforeEditor, shifts: seen.shifts },
      blocking: blocked.reduce((sum, ms) => sum + ms, 0),
      outside: asked.filter((address) => !/^(data|blob):/.test(address) && !address.startsWith(url)).length,
    };
  } finally {
    await context.close();
  }
}

function printRuns(runs) {
  const median = (key) => runs.map((run) => run[key]).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
  const row = (what, value) => console.log(`| ${what} | ${value} |`);
  console.log(`| median of ${runs.length} loads, nothing kept | |\n|---|---:|`);
  row("first contentful paint", `${Math.round(median("paint"))} ms`);
  row("file tree can be used", `${Math.round(median("tree"))} ms`);
  row("editor can be typed in", `${Math.round(median("editor"))} ms`);
  row("blocked by long tasks after the first paint", `${Math.round(median("blocking"))} ms`);
  row("layout shift", median("shifts").toFixed(3));
  row("requests without the editor's", median("requests"));
  row("requests to other machines", Math.max(...runs.map(({ outside }) => outside)));
  console.log(`\nLoad average of the machine at the end: ${loadavg()[0].toFixed(1)}.`);
}

function grouped(n) {
  return n.toLocaleString("en");
}
