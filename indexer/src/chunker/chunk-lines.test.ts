import { expect, test } from "vitest";
import { analyze, renderChunks } from "./testing/render.ts";

test("a short file is one window", () => {
  expect(renderChunks("Dockerfile", "FROM node:24\nRUN npm ci\n")).toBe("1-2 lines -");
});

test("a window starts where something starts: after a blank line, without indentation", () => {
  const section = (i: number) => `service${i}:\n${"  key: some value here\n".repeat(12)}\n`;
  const { chunks } = analyze("compose.yml", [1, 2, 3, 4, 5, 6, 7, 8].map(section).join(""));
  expect(chunks.map((c) => c.text.split("\n")[0])).toEqual(["service1:", "service5:"]);
});

test("a window does not start with a closing bracket", () => {
  const fn = (i: number) => `void f${i}() {\n${"  call(argument);\n".repeat(20)}}\n`;
  const { chunks } = analyze("a.c", [1, 2, 3, 4, 5, 6, 7, 8].map(fn).join(""));
  expect(chunks.length).toBeGreaterThan(2);
  for (const chunk of chunks) expect(chunk.text).toMatch(/^void f\d/);
});

test("a line that outweighs a window stays whole up to the limit of a chunk", () => {
  const { chunks } = analyze("a.txt", `short\n${"x".repeat(1_500)}\nshort\n`);
  expect(chunks.map((c) => c.text.length)).toEqual([6, 1_501, 6]);
});
