import { expect, test } from "vitest";
import { Grammar } from "./grammar.ts";

const HERE = 0x10000000;
const ELSEWHERE = 0x70000000;

function learned(grammar: Grammar, shape: number): Map<number, number> {
  const counts = new Map<number, number>();
  grammar.following(shape, (code, count) => counts.set(code, count));
  return counts;
}

test("counts what followed a shape, apart from other shapes", () => {
  const grammar = new Grammar(4);
  for (const code of [6, 6, 9]) grammar.learn(HERE, code);
  grammar.learn(ELSEWHERE, 6);
  expect(learned(grammar, HERE)).toEqual(
    new Map([
      [6, 2],
      [9, 1],
    ]),
  );
});

test("keeps what is frequent when more follows than there is room for", () => {
  const grammar = new Grammar(4);
  for (let round = 0; round < 50; round++) {
    grammar.learn(HERE, 6);
    grammar.learn(HERE, 100 + round);
  }
  const counts = learned(grammar, HERE);
  expect(counts.get(6)).toBeGreaterThan(40);
  expect(counts.size).toBe(8);
});
