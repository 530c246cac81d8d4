import { atCursor } from "@dhi/core/testing/at-cursor";
import { describe, expect, test } from "vitest";
import type { Generated } from "../engines/engine.ts";
import type { Generation } from "./generation.ts";
import { createGenerations, type Generations } from "./generations.ts";
import { createLogprobs } from "./logprobs.ts";
import type { Place } from "./place.ts";

function fakeGeneration(
  text: string,
  { state = "over", finish = "stop" }: { state?: Generation["state"]; finish?: Generated["finish"] } = {},
) {
  const released: string[] = [];
  const generation: Generation = {
    ...{ about: undefined, text, state, logprobs: createLogprobs() },
    generated: state === "over" ? ({ text, finish } as Generated) : undefined,
    follow: () => Promise.reject(new Error("nobody should")),
    watch: async () => {},
    release: () => released.push(text) > 0,
  };
  return { generation, released };
}
const at = (source: string, oneLine = false): Place => ({ scope: "a.ts", oneLine, ...atCursor(source) });
const holding = (source: string, text: string, more?: Parameters<typeof fakeGeneration>[1]): Generations => {
  const generations = createGenerations();
  generations.add(at(source), "s", fakeGeneration(text, more).generation);
  return generations;
};
const typedAt = (generations: Generations, source: string) => generations.find(at(source))?.typed;

describe("finds what was written for", () => {
  test.each([
    ["the same place", "x = █\ny", "sum(a)", "x = █\ny", ""],
    ["a place that it was typed up to", "x = █\ny", "sum(a)", "x = sum(█\ny", "sum("],
    ["its own end, where the model had nothing to add", "x = █\ny", "sum(a)", "x = sum(a)█\ny", "sum(a)"],
    ["the next line, once the first is accepted", "x = █\ny", "1\nz = 2", "x = 1█\ny", "1"],
    ["a bracket that the editor closes", "x = █\ny", "sum(a)", "x = sum(█)\ny", "sum("],
    ["a quote that the editor closes", "x = █", 'f("a")', 'x = f("█")', 'f("'],
    ["a closing bracket that was typed over", "f(█)\ny", "a, b)", "f(a, b)█\ny", "a, b)"],
  ])("%s", (_, asked, text, now, typed) => {
    expect(typedAt(holding(asked, text), now)).toBe(typed);
  });
});

describe("finds nothing for", () => {
  test.each([
    ["another text", "x = █", "sum(a)", "x = min█"],
    ["what was deleted beyond the call's own prefix", "x = s█", "um(a)", "x = █"],
    ["another suffix", "x = █\ny", "sum(a)", "x = █\nz"],
    ["a closing bracket that nothing typed accounts for", "x = █", "sum", "x = s█)"],
    ["another text above", "a\nx = █", "sum", "b\nx = █"],
  ])("%s", (_, asked, text, now) => {
    expect(typedAt(holding(asked, text), now)).toBeUndefined();
  });

  test("another file", () => {
    expect(holding("█", "a").find({ ...at("█"), scope: "b.ts" })).toBeUndefined();
  });
});

test("who wants one line may use what was written for several, and not the reverse", () => {
  const generations = createGenerations();
  generations.add(at("x = █"), "s", fakeGeneration("f(a)").generation);
  expect(generations.find(at("x = f(█)", true))?.typed).toBe("f(");
  const oneLine = createGenerations();
  oneLine.add(at("x = █;", true), "s", fakeGeneration("f(a)").generation);
  expect(oneLine.find(at("x = █;"))).toBeUndefined();
});

test("what must not be used again is used while it is written only", () => {
  const generations = createGenerations<undefined>({ isUsable: () => false });
  generations.add(at("a█"), "s", { ...fakeGeneration("b").generation, about: undefined });
  expect(generations.find(at("a█"))).toBeUndefined();
});

test("a call that goes on is joined also by who typed ahead of it", () => {
  const generations = holding("x = █", "su", { state: "live" });
  expect(typedAt(generations, "x = sum(█")).toBe("sum(");
  expect(typedAt(generations, "x = min█")).toBeUndefined();
});

test("of a call that was cut only whole lines are used", () => {
  const generations = holding("█", "one\ntwo", { state: "cut" });
  expect(typedAt(generations, "o█")).toBe("o");
  expect(typedAt(generations, "one\nt█")).toBeUndefined();
});

test("of a call that ran out of tokens nothing is left at its end", () => {
  const generations = holding("█", "one", { finish: "length" });
  expect(typedAt(generations, "on█")).toBe("on");
  expect(typedAt(generations, "one█")).toBeUndefined();
});

test("the newest counts", () => {
  const generations = createGenerations();
  const [older, newer] = [fakeGeneration("ab").generation, fakeGeneration("ac").generation];
  generations.add(at("█"), "s", older);
  generations.add(at("█"), "s", newer);
  expect(generations.find(at("a█"))?.generation).toBe(newer);
  expect(generations.find(at("ab█"))?.generation).toBe(older);
});

test("forgets what is old, and the oldest of what is too much, but nothing that is being written", () => {
  let now = 0;
  const generations = createGenerations({ maxSize: 100, maxAgeMs: 1_000, now: () => now });
  generations.add(at("live█"), "s", fakeGeneration("x", { state: "live" }).generation);
  generations.add(at("first█"), "s", fakeGeneration("x".repeat(60)).generation);
  generations.add(at("second█"), "s", fakeGeneration("y".repeat(60)).generation);
  expect(["live█", "first█", "second█"].map((source) => typedAt(generations, source))).toEqual([
    "",
    undefined,
    "",
  ]);
  expect(generations.size).toBeLessThanOrEqual(100);
  now = 1_001;
  expect(typedAt(generations, "second█")).toBeUndefined();
});

test("forgets the oldest of what are too many", () => {
  const generations = createGenerations({ maxEntries: 2 });
  for (const name of ["a", "b", "c"]) generations.add(at(`${name}█`), "s", fakeGeneration("x").generation);
  expect(["a█", "b█", "c█"].map((source) => typedAt(generations, source))).toEqual([undefined, "", ""]);
});

test("knows where there has been a call, whatever it wrote", () => {
  const generations = holding("x =█\ny", " config");
  expect(typedAt(generations, "x = us█\ny")).toBeUndefined();
  expect(["x =█\ny", "x = █\ny", "x =█"].map((source) => generations.has(at(source)))).toEqual([
    true,
    false,
    false,
  ]);
});

test("releases the calls of a session, or of all", () => {
  const generations = createGenerations();
  const [a, b] = [fakeGeneration("a", { state: "live" }), fakeGeneration("b", { state: "live" })];
  generations.add(at("█"), "one", a.generation);
  generations.add(at("█"), "two", b.generation);
  generations.release("one");
  expect([a.released, b.released]).toEqual([["a"], []]);
  generations.releaseAll();
  expect(b.released).toEqual(["b"]);
});
