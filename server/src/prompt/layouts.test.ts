import { promptRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { createLayouts, unchanged } from "./layouts.ts";

const inTotal = "function total() {\n  const a";
const request = (more: object = {}) =>
  promptRequest.parse({ path: "a.ts", sessionId: "one", prefix: inTotal, ...more });
const shown = {
  blocks: [{ path: "b.ts", pieces: [], text: "b", tokens: 1, value: 1, score: 1 }],
  prefixStart: 5,
};

test("the same session and file gets what was kept", () => {
  const layouts = createLayouts();
  expect(layouts.before(request())).toBeUndefined();
  layouts.keep(request(), shown);
  const before = layouts.before(request());
  expect(before).toEqual({ ...shown, stays: expect.any(Number) });
  expect(layouts.before(request({ prefix: `${inTotal} = 1;\n  return b` }))).toEqual(before);
  expect(layouts.before(request({ prefix: `${inTotal} = 1;\n` })), "not yet indented").toEqual(before);
});

test("another scope of the file keeps it only while it is better", () => {
  const layouts = createLayouts();
  layouts.keep(request(), shown);
  const there = layouts.before(request());
  const other = layouts.before(request({ prefix: "function other() {\n  const a" }));
  expect(other).toEqual({ ...shown, stays: expect.any(Number) });
  expect(other?.stays).toBeGreaterThan(there?.stays ?? 1);
});

test("who changes nothing gets it as it is, and leaves it so", () => {
  const layouts = createLayouts();
  expect(unchanged(layouts).before(request())).toBeUndefined();
  layouts.keep(request(), shown);
  unchanged(layouts).keep(request(), { blocks: [], prefixStart: 0 });
  expect(unchanged(layouts).before(request())).toEqual({ ...shown, stays: 0 });
  expect(layouts.before(request())).toMatchObject(shown);
});

test.each([
  ["another file", { path: "b.ts" }],
  ["another session", { sessionId: "two" }],
  ["another workspace", { workspace: "shop" }],
  ["other legs", { legs: ["lexical"] }],
  ["another budget", { contextTokens: 100 }],
  ["no session", { sessionId: undefined }],
])("%s gets nothing", (_, other) => {
  const layouts = createLayouts();
  layouts.keep(request(), shown);
  expect(layouts.before(request(other))).toBeUndefined();
});

test("nothing is kept of a request without a session", () => {
  const layouts = createLayouts();
  layouts.keep(request({ sessionId: undefined }), shown);
  expect(layouts.before(request({ sessionId: undefined }))).toBeUndefined();
});

test("of many files the last ones are kept", () => {
  const layouts = createLayouts();
  const file = (i: number) => request({ path: `${i}.ts` });
  for (let i = 0; i < 200; i++) layouts.keep(file(i), shown);
  expect(layouts.before(file(199))).toMatchObject(shown);
  expect(layouts.before(file(0))).toBeUndefined();
});
