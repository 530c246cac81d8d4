/**
 * The page at `/` in a real Chromium: a person's keys are pressed and what shows is compared with what the server says;
 * parts of Dhi are ended and come back; every view is looked at for what keeps people out.
 *
 *   node scripts/e2e/page.mjs
 *
 * Starts a Dhi of its own on a copy of `fixture/`, with an engine that is switched off and on. Pictures of every view go to
 * DHI_E2E_OUT or web/e2e-shots. Exit status: 0 passed or skipped, 1 a check failed.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChecks, inReverse, runToEnd } from "./named-checks.mjs";
import { missingForBrowser, openPage, startBrowser } from "./page/browser.mjs";
import { faultChecks } from "./page/faults.mjs";
import { indexChecks } from "./page/index-checks.mjs";
import { keyboardChecks } from "./page/keyboard.mjs";
import { lookChecks } from "./page/looks.mjs";
import { startModelShelf } from "./page/model-shelf.mjs";
import { modelsChecks } from "./page/models-checks.mjs";
import { startNameEngine } from "./page/name-engine.mjs";
import { addOddFiles } from "./page/odd-files.mjs";
import { playgroundChecks } from "./page/playground-checks.mjs";
import { createTour } from "./page/tour.mjs";
import { startStack } from "./stack.mjs";
import { createWorkspace } from "./workspace.mjs";

/** Ignored by git. */
const SHOTS = fileURLToPath(new URL("../../web/e2e-shots", import.meta.url));

const missing = missingForBrowser();
if (missing) {
  console.log(`skipped: no browser to drive here (${missing} is missing)`);
  process.exit(0);
}
const shots = join(process.env.DHI_E2E_OUT ?? SHOTS, "page");
mkdirSync(shots, { recursive: true });
const cleanUps = [];
const checks = createChecks();
await runToEnd(checks, run, inReverse(cleanUps), `screenshots: ${shots}`);

async function run() {
  const workspace = createWorkspace();
  cleanUps.push(workspace.remove);
  addOddFiles(workspace.dir);
  const engine = await startNameEngine();
  cleanUps.push(engine.stop);
  const shelf = await startModelShelf();
  cleanUps.push(shelf.stop);
  const stack = await startStack([workspace.dir], {
    ...{ ENGINE: "openai", OPENAI_BASE_URL: engine.url, OLLAMA_HOST: shelf.url },
    // What a busy machine is late with is missing from the prompt, and so from what shows.
    RETRIEVAL_TIMEOUT_MS: "2000",
    DHI_METRICS: "on",
  });
  cleanUps.push(stack.stop);
  const browser = await startBrowser();
  cleanUps.push(() => browser.close());

  const opened = await openPage(browser, stack.url);
  const tour = createTour(opened.page);
  const shot = (name, page = opened.page) => page.screenshot({ path: join(shots, `${name}.png`) });
  checks.onFailure((n) => shot(`failure-${n}`));
  const session = { ...stack, checks, tour, shot, opened, browser, engine, workspace: workspace.dir };
  await playgroundChecks(session);
  await indexChecks(session);
  await modelsChecks(session);
  await keyboardChecks(session);
  await lookChecks(session);
  await faultChecks(session);
}
