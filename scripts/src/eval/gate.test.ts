import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { gateCorpora, gateFigures, isComplete, readGate } from "./gate.ts";
import { serveHere } from "./testing/serve-here.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

// docs/eval/gate.json is written by `npm run eval -- gate`.
test("retrieval finds what it found: recall and coverage lie within the interval of the last report", async (context) => {
  const corpora = await gateCorpora(() => {});
  if (!isComplete(corpora)) context.skip("its packages cannot be had here (offline?)");
  const served = await serveHere(corpora);
  try {
    const [now, then] = [await gateFigures(served, corpora), readGate(root)];
    expect(now.cursors).toBe(then.cursors);
    expect(now.recall.value).toBeGreaterThanOrEqual(then.recall.low);
    expect(now.coverage.value).toBeGreaterThanOrEqual(then.coverage.low);
  } finally {
    await served.close();
  }
}, 120_000);
