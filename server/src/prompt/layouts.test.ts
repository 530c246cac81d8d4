import { promptRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { createLayouts } from "./layouts.ts";
import type { Block } from "./pack.ts";

const inTotal = "function total() {\n  const a";
const request = (more: object = {}) =>
  promptRequest.parse({ path: "a.ts", sessionId: "one", prefix: inTotal, ...more });
const blocks: readonly Block[] = [{ path: "b.ts", pieces: [], text: "b", tokens: 1, value: 1, score: 1 }];

test("the same session, file and scope gets what was kept", () => {
  const layouts = createLayouts();
  expect(layouts.before(request())).toBeUndefined();
  layouts.keep(request(), blocks);
  expect(layouts.before(request())).toBe(blocks);
  expect(layouts.before(request({ prefix: `${inTotal} = 1;\n  return b` }))).toBe(blocks);
  expect(layouts.before(request({ prefix: `${inTotal} = 1;\n` })), "not yet indented").toBe(blocks);
});

test.each([
  ["another scope", { prefix: "function other() {\n  const a" }],
  ["another file", { path: "b.ts" }],
  ["another session", { sessionId: "two" }],
  ["another workspace", { workspace: "shop" }],
  ["other legs", { legs: ["lexical"] }],
  ["another budget", { contextTokens: 100 }],
  ["no session", { sessionId: undefined }],
])("%s gets nothing", (_, other) => {
  const layouts = createLayouts();
  layouts.keep(request(), blocks);
  expect(layouts.before(request(other))).toBeUndefined();
});

test("nothing is kept of a request without a session", () => {
  const layouts = createLayouts();
  layouts.keep(request({ sessionId: undefined }), blocks);
  expect(layouts.before(request({ sessionId: undefined }))).toBeUndefined();
});

test("of many files the last ones are kept", () => {
  const layouts = createLayouts();
  const file = (i: number) => request({ path: `${i}.ts` });
  for (let i = 0; i < 200; i++) layouts.keep(file(i), blocks);
  expect(layouts.before(file(199))).toBe(blocks);
  expect(layouts.before(file(0))).toBeUndefined();
});
