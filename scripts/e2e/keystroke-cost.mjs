/**
 * What a key costs the extension host: keys are typed into a file of 10,000 lines in a real VS Code, some hundred with Dhi
 * and some hundred without in turn, and the processor time of the host's main thread is read before and after each.
 *
 *   node scripts/e2e/keystroke-cost.mjs [--vsix FILE] [--keys N]
 *
 * Linux alone tells that (/proc). A server of its own answers at once, so that every pause in typing has its request.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { missingForEditor, packageExtension, startEditor } from "./editor.mjs";
import { inReverse } from "./named-checks.mjs";
import { createWorkspace } from "./workspace.mjs";

const { values: flags } = parseArgs({
  options: { vsix: { type: "string" }, keys: { type: "string", default: "2000" } },
});
const FILE = "shop/long.py";
const LINE = "    subtotal = price_of(order.lines[0], tax_rate)\n";
/** Typed in one go before the other side has its turn, so that a busy minute of the machine hits both. */
const TURN = 100;
/** Of somebody who types fast. What a key sets off is over by then. */
const KEY_MS = 60;

const missing = missingForEditor();
if (missing) {
  console.log(`skipped: no VS Code to drive here (${missing} is missing)`);
  process.exit(0);
}
const cleanUps = [];
try {
  await measure();
} finally {
  await inReverse(cleanUps)();
}

async function measure() {
  const workspace = createWorkspace();
  cleanUps.push(workspace.remove);
  const half = "    total = total + price(lines[i])\n".repeat(5_000);
  writeFileSync(join(workspace.dir, FILE), `${half}\n${half}`);
  const server = await startServer(workspace.dir);
  cleanUps.push(server.stop);
  const vsix = flags.vsix ?? packageExtension();
  const { page, workbench, stop } = await startEditor({
    vsix,
    url: server.url,
    open: { folder: workspace.dir },
  });
  cleanUps.push(stop);
  await workbench.ready();
  await workbench.openFile(FILE);
  await workbench.goTo(5_001, 1);
  const host = mainThreadOf(extensionHost());

  const costs = { on: [], off: [] };
  for (let typed = 0; costs.on.length < Number(flags.keys); typed += TURN) {
    const side = (typed / TURN) % 2 ? "off" : "on";
    for (let key = 0; key < TURN; key++) {
      const before = host();
      await page.keyboard.type(LINE[(typed + key) % LINE.length]);
      await page.waitForTimeout(KEY_MS);
      costs[side].push(host() - before);
    }
    await workbench.runCommand("Dhi: Enable or Disable");
    await page.waitForTimeout(1_000);
  }
  for (const [side, times] of Object.entries(costs)) console.log(`Dhi ${side}: ${summary(times)}`);
  console.log(`requests: ${server.requests()}`);
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
  return `${times.length} keys, median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
}

/** @returns the id of the process of this run, which was started last */
function extensionHost() {
  const hosts = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /--type=extensionHost/.test(textOf(`/proc/${pid}/cmdline`)));
  const startedAt = (pid) =>
    Number(
      textOf(`/proc/${pid}/stat`)
        .replace(/^.*\) /, "")
        .split(" ")[19],
    );
  const [newest] = hosts.toSorted((a, b) => startedAt(b) - startedAt(a));
  if (newest === undefined) throw new Error("no extension host runs");
  return newest;
}

/** @returns reads its processor time in milliseconds */
function mainThreadOf(pid) {
  return () => Number(textOf(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0]) / 1e6;
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function startServer(path) {
  let requests = 0;
  const status = {
    ...{ version: "0.1.0", startedAt: new Date().toISOString(), mode: "rag", indexer: null, lastDrops: [] },
    workspaces: [{ name: "shop", path, indexer: null }],
    engine: { name: "instant", model: "n-gram", format: "qwen", detail: "", step: "full" },
    requests: { completions: 0, shown: 0, drops: {} },
  };
  const timings = { queue: 0, retrieval: 0, prompt: 0, firstToken: 0, engine: 0, postprocess: 0, total: 0 };
  const done = {
    ...{ done: true, requestId: "r", completion: "total_of(order)", reason: "ok", engine: "instant" },
    ...{ model: "n-gram", mode: "rag", format: "qwen", step: "full", debounceMs: null, reuse: "none" },
    ...{ finish: "stop", meanLogprob: null, confidence: null, sources: [], timings },
    usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
  };
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== "/v1/fim")
      return response.end(JSON.stringify(request.url === "/v1/status" ? status : {}));
    requests++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: {"text":"total_of(order)"}\n\ndata: ${JSON.stringify(done)}\n\n`);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
