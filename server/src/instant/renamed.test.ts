import { expect, test } from "vitest";
import { lex } from "./lexer.ts";
import { renamedAt } from "./renamed.ts";
import { TokenStore } from "./token-store.ts";
import { Vocabulary } from "./vocabulary.ts";

/** @returns what the token behind `theirs` means where `ours` stands, and how long a match that is worth */
function renamed(theirs: string, next: string, ours: string): { text: string; length: number } | undefined {
  const vocabulary = new Vocabulary();
  const tokens = new TokenStore({ headBits: 6, isName: (id) => vocabulary.isName(id) });
  lex(theirs + next, (text, spaced) => tokens.push(vocabulary.add(text), spaced));
  const context: number[] = [];
  lex(ours, (text) => context.push(vocabulary.add(text)));
  const place = tokens.length - 1;
  const found = renamedAt(tokens, place, context, vocabulary);
  return found && { text: vocabulary.text(found.id), length: found.length };
}

test("reads a name of theirs as the one of ours that stands where it stood", () => {
  // Seventeen tokens match; two of the names are others, for three tokens each.
  expect(
    renamed("if (!user) { users.add(a); users.find(", "user", "if (!order) { orders.add(a); orders.find("),
  ).toEqual({
    text: "order",
    length: 17 - 2 * 3,
  });
});

test("leaves what has no counterpart as it is", () => {
  expect(renamed("if (user === null) { return", " fallback", "if (order === null) { return")).toMatchObject({
    text: "fallback",
  });
});

test("replaces a part of a name as in another, if there is such a name", () => {
  const [theirs, ours] = [
    "const OrderList = 1; if (!user) { find(",
    "const OrderList = 1; if (!order) { find(",
  ];
  expect(renamed(theirs, "UserList", ours)).toMatchObject({ text: "OrderList" });
  expect(renamed(theirs, "UserTree", ours)).toMatchObject({ text: "UserTree" });
});

test.each([
  ["the same names", "if (user === null) return", " x", "if (user === null) return"],
  ["too little in common", "a.b(", "c", "d.e("],
  ["one name that would have to be two", "go(); f(user, user,", "user", "go(); f(order, price,"],
])("says nothing of %s", (_, theirs, next, ours) => {
  expect(renamed(theirs, next, ours)).toBeUndefined();
});
