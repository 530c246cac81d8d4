import type { Engine } from "@dhi/server/engines/engine";
import { expect, test } from "vitest";
import { completeLine, confidenceSection, lineCursors } from "./confidence.ts";
import { createRandom } from "./random.ts";

const code = Array.from({ length: 200 }, (_, i) => `  const value${i} = compute(${i}, other);\n`).join("");

test("cursors stand where a word begins, with the rest of their line ahead", () => {
  const cursors = lineCursors([{ path: "a.ts", text: code }], 20, createRandom(1));
  expect(cursors).toHaveLength(20);
  for (const { prefix, line } of cursors) {
    expect(code).toContain(`${prefix}${line}\n`);
    expect(line).toMatch(/^\w/);
  }
});

test("files that are too short have none", () => {
  expect(lineCursors([{ path: "a.ts", text: "const a = 1;\n" }], 5, createRandom(1))).toEqual([]);
});

const writes = (text: string, meanLogprob: number | null) =>
  ({ generate: async () => ({ text, meanLogprob }) }) as unknown as Engine;

test.each([
  ["the line that stood there is right", "total;  ", -0.2, { meanLogprob: -0.2, isRight: true }],
  ["another is not", "sum;", -0.2, { meanLogprob: -0.2, isRight: false }],
  ["nothing counts for nothing", " ", -0.2, undefined],
  ["nor does an engine that does not tell", "total;", null, undefined],
])("%s", async (_, text, meanLogprob, expected) => {
  const cursor = { prefix: "return ", line: "total;" };
  expect(await completeLine(writes(text, meanLogprob), cursor, AbortSignal.timeout(1_000))).toEqual(expected);
});

test("a threshold withholds right and wrong ones", () => {
  const { rows } = confidenceSection("", [
    { meanLogprob: -0.1, isRight: true },
    { meanLogprob: -1.1, isRight: true },
    { meanLogprob: -1.1, isRight: false },
    { meanLogprob: -2.8, isRight: false },
  ]);
  expect(rows[0]).toEqual(["-0.50", "25.0 %", "100.0 %", "50.0 %", "100.0 %"]);
  expect(rows.at(-1)).toEqual(["none", "100.0 %", "50.0 %", "0.0 %", "0.0 %"]);
});
