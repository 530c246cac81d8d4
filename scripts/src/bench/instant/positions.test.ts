import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import type { Commit } from "./commits.ts";
import { positionsOf, tokenEnds } from "./positions.ts";

const commit: Commit = {
  before: new Map([["a.ts", "first();\nlast();\n"]]),
  after: new Map([["a.ts", "first();\n  added(1);\n  moved();\nlast();\n"]]),
  runs: [{ path: "a.ts", pathBefore: "a.ts", start: 1, lines: 2 }],
  removed: new Set(["moved();"]),
};

test("shows what the author had above and what stood below the added lines, and leaves out what only moved", () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 20; seed++)
    for (const { prefix, rest, suffix } of positionsOf(commit, { count: 9, random: createRandom(seed) })) {
      expect(suffix).toBe("\nlast();\n");
      expect(prefix + rest).toBe("first();\n  added(1);");
      seen.add(rest);
    }
  expect([...seen].sort()).toEqual(["(1);", "1);", ");", ";", "added(1);"].sort());
});

test("tokens end behind their characters, spaces before them included", () => {
  expect(tokenEnds("a = bc(1)")).toEqual([1, 3, 6, 7, 8, 9]);
});
