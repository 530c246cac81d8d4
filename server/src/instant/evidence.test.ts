import { expect, test } from "vitest";
import { type BaseShare, type Candidate, candidatesFor } from "./evidence.ts";
import { lex } from "./lexer.ts";
import { NamesAround } from "./likeness.ts";
import { TokenStore } from "./token-store.ts";
import { Vocabulary } from "./vocabulary.ts";

interface Share extends BaseShare {
  readonly text: string;
}

/** Candidates by what they say, where `typed` stands at the end of `above`. */
function candidates(
  above: string,
  typed: string,
  { below = "", base = [] }: { readonly below?: string; readonly base?: readonly Share[] } = {},
): Map<string, Candidate> {
  const vocabulary = new Vocabulary();
  const isName = (id: number) => vocabulary.isName(id);
  const isLineBreak = (id: number) => vocabulary.isLineBreak(id);
  const storeOf = (text: string) => {
    const tokens = new TokenStore({ headBits: 8, isName, isLineBreak });
    lex(text, (token, spaced) => tokens.push(vocabulary.add(token), spaced));
    return tokens;
  };
  const tokens = storeOf(above);
  const context: number[] = [];
  lex(typed, (token) => context.push(vocabulary.add(token)));
  const sources = [{ tokens, isOpen: true, isAbove: true, weigh: () => 1 }];
  const found = candidatesFor({
    ...{ sources, vocabulary, context, below: storeOf(below) },
    namesAround: new NamesAround(
      vocabulary.size,
      context.filter((id) => vocabulary.isName(id)),
    ),
    base: new Map(base.map(({ text, ...rest }) => [vocabulary.add(text), rest])),
    mostOfBase: 2,
  });
  return new Map(found.map((candidate) => [vocabulary.text(candidate.id), candidate]));
}

test("what followed a match is likelier the more often it did", () => {
  const found = candidates("run(fast); run(fast); run(slow);", "run(");
  expect(found.get("fast")?.probability).toBeGreaterThan(found.get("slow")?.probability ?? 1);
  expect(found.get("fast")).toMatchObject({ matched: 2, support: 2, openSupport: 2, renamed: 0 });
});

test("code with other names proposes ours", () => {
  const found = candidates(
    "if (!user) { users.add(a); users.find(user); }",
    "if (!order) { orders.add(a); orders.find(",
  );
  expect(found.get("order")).toMatchObject({ matched: 0, renamed: 11 });
});

test("counts how far the lines behind a match are those below the cursor", () => {
  const above = "start(one);\nwait(seconds);\nstart(two);\nread(lines);\n";
  const found = candidates(above, "go();\nstart(", { below: "\nread(lines);\n" });
  expect(found.get("two")?.aligned).toBeGreaterThanOrEqual(5);
  expect(found.get("one")?.aligned).toBe(0);
});

test("knows how far above the nearest place is", () => {
  expect(candidates("f(a); f(b); f(b);", "f(").get("b")?.distance).toBeLessThan(5);
  expect(candidates("f(a); f(b); f(b);", "f(").get("a")?.distance).toBeGreaterThan(10);
});

test("a place where the same names stand around says more than one with a match as long", () => {
  const above = "user = load(id); check(user); stop(one); other = read(file); check(other); stop(two);";
  const found = candidates(above, "other = read(line); stop(");
  expect(found.get("two")?.likeness).toBeGreaterThan(2 * (found.get("one")?.likeness ?? 1));
  expect(found.get("two")).toMatchObject({ namesAround: 3 });
});

test("lines that begin alike say what comes, behind other names too", () => {
  const above = "a\nb\nlet total = sum(first, exact);\nprint(first, rough);\n";
  const found = candidates(above, "a\nb\nlet total = sum(neverSeen,");
  expect(found.get("exact")?.lineLikeness).toBe(1);
  expect(found.get("rough")?.lineLikeness ?? 0).toBe(0);
});

test("the base proposes what no match does, with its space", () => {
  const base = [{ text: "near", spaced: true, share: 0.4 }];
  expect(candidates("f(a);", "g =", { base }).get("near")).toMatchObject({
    matched: 0,
    spaced: true,
    share: 0.4,
  });
});

test("of the base, only the likeliest are proposed where no match is; with a match the others have their share too", () => {
  const base = ["a", "b", "c", "d"].map((text, i) => ({ text, spaced: false, share: 0.1 * (i + 1) }));
  const found = candidates("f(a);", "f(", { base });
  expect([...found.keys()].sort()).toEqual(["a", "c", "d"]);
  expect(found.get("a")?.share).toBeCloseTo(0.1);
});
