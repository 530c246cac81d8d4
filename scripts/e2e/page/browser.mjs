/** Debian's Chromium, driven by the playwright-core that the run in VS Code brings along. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const tools = join(
  process.env.DHI_TOOLS_CACHE ?? join(homedir(), ".cache", "dhi-tools"),
  "vscode-e2e",
  "tools",
);
const CHROMIUM = process.env.DHI_CHROMIUM ?? "/usr/bin/chromium";

/** @returns what there has to be and is not; `undefined` when a browser can be started */
export const missingForBrowser = () =>
  [CHROMIUM, join(tools, "node_modules", "playwright-core")].find((path) => !existsSync(path));

/** @returns Playwright's browser; it asks nothing of the network by itself */
export function startBrowser() {
  const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * @param colorScheme `light` or `dark`
 * @returns the page, and what it did that it should not have: `problems`, what the console and uncaught errors say, and
 *   `outside`, addresses of other machines
 */
export async function openPage(browser, url, colorScheme = "light") {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1440, height: 860 } });
  const page = await context.newPage();
  const problems = [];
  const outside = [];
  let sentBytes = 0;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) outside.push(request.url());
  });
  page.on("requestfinished", async (request) => {
    if (/\/assets\/.*\.js$/.test(request.url()))
      sentBytes += (await request.sizes().catch(() => ({ responseBodySize: 0 }))).responseBodySize;
  });
  await page.goto(url);
  return { page, problems, outside, sentBytes: () => sentBytes };
}
