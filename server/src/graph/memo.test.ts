import { expect, test } from "vitest";
import { createMemo } from "./memo.ts";

test("an answer is computed once, until one that it is made of is dropped", () => {
  const memo = createMemo(10);
  const made: string[] = [];
  const make = (key: string, of = () => "") =>
    memo.once(key, () => {
      made.push(key);
      return key.charAt(0) + of();
    });
  const leaf = () => make("leaf");
  const middle = () => make("middle", leaf);
  const top = () => make("top", middle);
  const other = () => make("other");
  top();
  other();
  expect([top(), other(), made]).toEqual(["tml", "o", ["top", "middle", "leaf", "other"]]);
  made.length = 0;
  memo.drop("leaf");
  expect([memo.has("top"), memo.has("other")]).toEqual([false, true]);
  expect([top(), other(), made]).toEqual(["tml", "o", ["top", "middle", "leaf"]]);
});

test("an answer that was there already counts as what another is made of", () => {
  const memo = createMemo(10);
  memo.once("leaf", () => "l");
  memo.once("top", () => memo.once("leaf", () => "never"));
  memo.drop("leaf");
  expect(memo.has("top")).toBe(false);
});

test("a question that leads back to itself gets the answer for meanwhile, and is dropped with what it asked", () => {
  const memo = createMemo(10);
  const a = (): string => memo.once("a", () => `a${b()}`, "?");
  const b = (): string => memo.once("b", () => `b${a()}`, "?");
  expect([a(), b()]).toEqual(["ab?", "b?"]);
  memo.drop("b");
  expect([memo.has("a"), memo.has("b")]).toEqual([false, false]);
});

test("what fails is asked again", () => {
  const memo = createMemo(10);
  const fail = () => {
    throw new Error("busy");
  };
  expect(() => memo.once("a", () => memo.once("b", fail), "?")).toThrow("busy");
  expect(memo.once("a", () => "now")).toBe("now");
});

test("too many answers are dropped together, but never those that one is being made of", () => {
  const memo = createMemo(2);
  const seen = () => ["a", "b", "c", "top"].filter((key) => memo.has(key));
  memo.once("top", () => ["a", "b", "c"].map((key) => memo.once(key, () => key)).join(""));
  expect(seen()).toEqual(["a", "b", "c", "top"]);
  memo.drop("a");
  expect(seen()).toEqual(["b", "c"]);
  memo.once("a", () => "a");
  expect(seen()).toEqual(["a"]);
});

test("so are those of which too many others were made, though these are gone", () => {
  const memo = createMemo(3);
  let computed = 0;
  const leaf = () => memo.once("leaf", () => `${++computed}`);
  for (let line = 1; line <= 31; line++) {
    memo.once(`top ${line}`, leaf);
    memo.drop(`top ${line}`);
  }
  expect(computed).toBe(2);
});
