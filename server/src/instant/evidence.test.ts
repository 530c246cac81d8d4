import { expect, test } from "vitest";
import { type Candidate, candidatesFor } from "./evidence.ts";
import { lex } from "./lexer.ts";
import { TokenStore } from "./token-store.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Candidates by what they say, where `typed` stands at the end of `above`. */
function candidates(above: string, typed: string, below = ""): Map<string, Candidate> {
  const vocabulary = new Vocabulary();
  const isName = (id: number) => vocabulary.isName(id);
  const storeOf = (text: string) => {
    const tokens = new TokenStore({ headBits: 8, isName });
    lex(text, (token, spaced) => tokens.push(vocabulary.add(token), spaced));
    return tokens;
  };
  const tokens = storeOf(above);
  const context: number[] = [];
  lex(typed, (token) => context.push(vocabulary.add(token)));
  const sources = [{ tokens, isOpen: true, isAbove: true, weigh: () => 1 }];
  const found = candidatesFor({ sources, vocabulary, context, below: storeOf(below) });
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
  const found = candidates(above, "go();\nstart(", "\nread(lines);\n");
  expect(found.get("two")?.aligned).toBeGreaterThanOrEqual(5);
  expect(found.get("one")?.aligned).toBe(0);
});

test("knows how far above the nearest place is", () => {
  expect(candidates("f(a); f(b); f(b);", "f(").get("b")?.distance).toBeLessThan(5);
  expect(candidates("f(a); f(b); f(b);", "f(").get("a")?.distance).toBeGreaterThan(10);
});
