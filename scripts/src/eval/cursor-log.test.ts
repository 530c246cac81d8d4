import { readFileSync } from "node:fs";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test, vi } from "vitest";
import { logCursors } from "./cursor-log.ts";
import { situationAt } from "./testing/situation.ts";

test("one line a cursor: where it is, what it needed, and which method had it", () => {
  using cache = tempDir();
  vi.stubEnv("DHI_TOOLS_CACHE", cache.dir);
  try {
    const { cursor, facts } = situationAt(
      { "money.ts": "export function cents() {}\n" },
      "a.ts",
      "x = █cents();▒",
    );
    const scores = { recall: { 5: true }, coverage: { 1024: Number.NaN }, tokens: 9 };
    const gold = facts.definitionsOf("cents", "ecmascript");
    const file = logCursors(
      [{ cursor: { ...cursor, gold }, scores: { Dhi: scores }, legs: [], retrievalMs: 1 }],
      "dev-1",
    );
    expect(
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        ...{ id: "a.ts", kind: "mid-line", language: "typescript", prefix: "x = ", continuation: "cents();" },
        ...{ gold: ["cents money.ts:1"], recall: { Dhi: true }, coverage: { Dhi: null } },
      },
    ]);
  } finally {
    vi.unstubAllEnvs();
  }
});
