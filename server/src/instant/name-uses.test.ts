import { describe, expect, test } from "vitest";
import { fits, namesAtHand, usesOf } from "./name-uses.ts";
import { OpenFileReader } from "./open-file.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Of a file with the cursor below `above`. */
function usesIn(above: string, below = "") {
  const vocabulary = new Vocabulary();
  const open = new OpenFileReader(vocabulary).read(`${above}\n`, `\n${below}`);
  return {
    of: (name: string) => usesOf(open.names, vocabulary.find(name)),
    atHand: (isMember: boolean, lastUse: ReadonlyMap<number, number> = new Map()) =>
      Array.from(
        namesAtHand(open.names, lastUse, isMember),
        ([id, share]) => [vocabulary.text(id), share] as const,
      ),
  };
}

describe("the uses of a name", () => {
  test("are counted above and below, behind dots apart, and how far above the first and the last are", () => {
    const { of } = usesIn("a.size; size", "b.size;");
    expect(of("size")).toEqual({ uses: 3, asMember: 2, imported: 0, first: 3, last: 1 });
  });

  test("below alone are at no distance", () => {
    expect(usesIn("x", "later").of("later")).toEqual({
      uses: 1,
      asMember: 0,
      imported: 0,
      first: 0,
      last: 0,
    });
  });

  test("are of names: neither keywords nor operators", () => {
    const { of } = usesIn("return a;");
    expect([of("return"), of(";")]).toEqual([undefined, undefined]);
  });

  test("fit as far as they are of the kind that is asked for", () => {
    const use = { uses: 4, asMember: 1, imported: 0, first: 9, last: 2 };
    expect([fits(use, true), fits(use, false)]).toEqual([0.25, 0.75]);
  });
});

describe("an import", () => {
  test.each([
    ["import { a } from './m';\na;", [1, 2]],
    ["from m import (\n    b,\n    a,\n)\na", [1, 2]],
    ["use crate::m::a;\na", [1, 2]],
    ["const b = { a };", [0, 1]],
  ])("is told from other uses in %j", (text, [imported, uses]) => {
    expect(usesIn(text).of("a")).toMatchObject({ imported, uses });
  });
});

describe("names at hand", () => {
  test("are those that are imported and not used yet rather than what was used long ago", () => {
    const { atHand } = usesIn(`import { fresh } from "m";\nstale;\n${"();\n".repeat(300)}`);
    expect(atHand(false)[0]?.[0]).toBe("fresh");
  });

  test("are members behind a dot, and others elsewhere", () => {
    const { atHand } = usesIn("list.size; list.size;");
    expect(atHand(true)).toEqual([["size", 1]]);
    expect(atHand(false)).toEqual([["list", 1]]);
  });

  test("are likelier the nearer they were used, here or in the file", () => {
    const { atHand } = usesIn("far; near;", "below;");
    expect(atHand(false).map(([name]) => name)).toEqual(["near", "far", "below"]);
  });

  test("are none in an empty file", () => {
    expect(usesIn("").atHand(false)).toEqual([]);
  });
});
