import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { retrievalQuery } from "./query.ts";

const query = (source: string) => retrievalQuery({ path: "src/a.ts", ...atCursor(source) });

test("names come nearest first, once each, without keywords and the unfinished one", () => {
  const { names, partial } = query(
    "import { far } from './far';\nconst total = near(cart, near);\nreturn form█",
  );
  expect({ names, partial }).toEqual({ names: ["near", "cart", "total", "far"], partial: "form" });
});

test("the unfinished name is empty after a blank, a dot or a bracket", () => {
  expect(["call █", "cart.█", "call(█", "█"].map((s) => query(s).partial)).toEqual(["", "", "", ""]);
});

test("names below the cursor count too", () => {
  expect(query("█\nsend(invoice);").names).toEqual(["invoice", "send"]);
});

test("the block to embed leaves the cursor's own line out, so that typing on it changes nothing", () => {
  expect(query("function a() {\n  const b = 1;\n  ret█").block).toBe(
    query("function a() {\n  const b = 1;\n  return b█").block,
  );
});

test("visible lines are trimmed and stand on both sides of the cursor", () => {
  expect([...query("  one();\n\n█\n  two();").visible]).toEqual(["one();", "two();"]);
});

test("a five-megabyte prefix is read from its end only", () => {
  const { names, visible } = query(`${"const unique_far_name = 1;\n".repeat(200_000)}lastCall(█`);
  expect(names).toEqual(["lastCall", "unique_far_name"]);
  expect(visible.size).toBe(2);
});

test.each([
  ["src/a.ts", "python", true],
  ["src/a.ts", "yaml", false],
  ["ci.yml", "yaml", true],
  ["ci.yml", "typescript", false],
])("in %s a snippet of %s is wanted: %s", (path, language, wanted) => {
  expect(retrievalQuery({ path, prefix: "", suffix: "" }).wants(language)).toBe(wanted);
});

test("a line of megabytes is read near the cursor only", () => {
  const line = `far_name,${"0,".repeat(1_000_000)}`;
  const { names, block } = query(`${line}\n${line}near(█`);
  expect(names).toEqual(["near"]);
  expect(block.length).toBeLessThanOrEqual(4_000);
});
