import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openNatsStore } from "./likelihood-store.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "dhi-nats-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("what was put is there for the next run", () => {
  const file = join(dir, "new", "nats.jsonl");
  const store = openNatsStore(file);
  expect(store.get("a")).toBeUndefined();
  store.put("a", [1.5, 0.123456789]);
  store.put("b", []);
  expect(store.get("a")).toEqual([1.5, 0.123456789]);
  const next = openNatsStore(file);
  expect([next.get("a"), next.get("b"), next.get("c")]).toEqual([[1.5, 0.12346], [], undefined]);
});

test("a line that a killed run left incomplete is forgotten, and spoils nothing that comes after", () => {
  const file = join(dir, "nats.jsonl");
  openNatsStore(file).put("a", [1]);
  appendFileSync(file, '["b",[2,');
  const store = openNatsStore(file);
  expect([store.get("a"), store.get("b")]).toEqual([[1], undefined]);
  store.put("c", [3]);
  const next = openNatsStore(file);
  expect([next.get("a"), next.get("b"), next.get("c")]).toEqual([[1], undefined, [3]]);
  expect(readFileSync(file, "utf8")).toBe('["a",[1]]\n["b",[2,\n["c",[3]]\n');
});

test("lines of another kind are passed over", () => {
  const file = join(dir, "nats.jsonl");
  appendFileSync(file, '{"a":[1]}\n["b",["x"]]\n["c",[1],2]\nnull\n["d",[4]]\n');
  const store = openNatsStore(file);
  expect(["a", "b", "c", "d"].map((key) => store.get(key))).toEqual([undefined, undefined, undefined, [4]]);
});
