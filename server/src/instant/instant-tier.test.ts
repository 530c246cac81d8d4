import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { type InstantTier, startInstantTier } from "./instant-tier.ts";
import { MAX_TOKENS } from "./token-budget.ts";

/** Node 20 runs no TypeScript, so the thread is the built one; `npm test` builds before it tests. */
const built = join(import.meta.dirname, "../../dist/instant/instant-thread.js");
const money = "export function formatCents(amount: number): string {\n  return render(amount);\n}\n";
const at = { path: "src/open.ts", prefix: "const t = formatC", suffix: "\n" };
const limits = { threshold: 0.3, maxTokens: 50 };

const open: InstantTier[] = [];
const homes: Disposable[] = [];
afterEach(async () => {
  for (const tier of open.splice(0)) await tier.close();
  for (const home of homes.splice(0)) home[Symbol.dispose]();
});

function folder(): string {
  const home = tempDir();
  homes.push(home);
  return home.dir;
}

function start(dirs: string[], file: string, warnings: string[] = []): InstantTier {
  const log = { warn: (warning: string) => void warnings.push(warning) };
  const tier = startInstantTier({ dirs, maxTokens: MAX_TOKENS, log, file, restartMs: 10 });
  open.push(tier);
  return tier;
}

/** A thread of that code, which sees `parentPort` and how often it was started: 1, 2, … */
function startFake(code: string, warnings: string[] = []): InstantTier {
  const dir = folder();
  const file = join(dir, "fake-thread.mjs");
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from "node:fs";
    import { parentPort } from "node:worker_threads";
    appendFileSync(${JSON.stringify(join(dir, "starts"))}, "x");
    const starts = readFileSync(${JSON.stringify(join(dir, "starts"))}, "utf8").length;
    ${code}`,
  );
  return start([dir], file, warnings);
}

test.each([
  ["a thread of its own", built],
  ["this one, where that is not built", "/nowhere.js"],
])("each workspace answers from its own code, in %s", async (_, file) => {
  const [shop, docs] = [folder(), folder()];
  seedIndex(shop, [{ path: "money.ts", text: money }]).close();
  seedIndex(docs, [{ path: "coins.ts", text: money.replaceAll("formatCents", "formatCoins") }]).close();
  const { indexes } = start([shop, docs, folder()], file);
  await Promise.all(indexes.map((index) => index.refresh()));
  const lines = await Promise.all(indexes.map((index) => index.predict(at, limits)));
  expect(lines.map(({ text }) => text.slice(0, 4))).toEqual(["ents", "oins", ""]);
  expect(indexes.map((index) => index.status().state)).toEqual(["ready", "ready", "empty"]);
});

test("what is asked of a thread that ends is answered with nothing, and another one is started", async () => {
  const warnings: string[] = [];
  const { indexes } = startFake(
    `const line = { text: "again", confidence: 1, tokens: 1, cut: false };
    parentPort.on("message", ({ id }) => {
      if (starts === 1) throw new Error("no memory left");
      parentPort.postMessage({ statuses: [{ state: "ready", files: 1, tokens: 1, storedTokens: 1 }] });
      parentPort.postMessage({ id, line });
    });`,
    warnings,
  );
  const ask = async () => (await indexes[0]?.predict(at, limits))?.text;
  expect([await ask(), await indexes[0]?.refresh()]).toEqual(["", undefined]);
  expect(warnings).toEqual(["instant: its thread failed: no memory left"]);
  await expect.poll(ask).toBe("again");
  expect(indexes[0]?.status().state).toBe("ready");
});

test("its warnings are the server's", async () => {
  const warnings: string[] = [];
  const { indexes } = startFake(
    `parentPort.on("message", ({ id }) => {
      parentPort.postMessage({ warning: "the index was replaced" });
      parentPort.postMessage({ id });
    });`,
    warnings,
  );
  await indexes[0]?.refresh();
  expect(warnings).toEqual(["the index was replaced"]);
});

test("closed, it answers with nothing, and starts no more", async () => {
  const tier = startFake(`parentPort.on("message", () => {});`);
  const asked = tier.indexes[0]?.predict(at, limits);
  await tier.close();
  expect([(await asked)?.text, (await tier.indexes[0]?.predict(at, limits))?.text]).toEqual(["", ""]);
});
