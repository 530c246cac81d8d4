import { expect, test } from "vitest";
import { type Kinds, kindsAfter } from "./kinds.ts";
import { lex } from "./lexer.ts";
import { TokenStore } from "./token-store.ts";
import { LINE_END, Vocabulary } from "./vocabulary.ts";

/** What may come behind `typed`, after `above` was read. */
function kinds(
  above: string,
  typed: string,
): { readonly kinds: Kinds; readonly idOf: (text: string) => number } {
  const vocabulary = new Vocabulary();
  const tokens = new TokenStore({ headBits: 8, isName: (id) => vocabulary.isName(id) });
  lex(above, (token, spaced) => tokens.push(vocabulary.add(token), spaced));
  const context: number[] = [];
  lex(typed, (token) => context.push(vocabulary.find(token)));
  return {
    kinds: kindsAfter([{ tokens, weight: 1 }], context, vocabulary),
    idOf: (text) => vocabulary.find(text),
  };
}

test("a name that nobody has written is followed by what follows names", () => {
  const { kinds: after, idOf } = kinds("const a = 1; const b = 2; const c = 3;", "const neverSeen");
  expect(after.share(idOf("="), true)).toBeGreaterThan(0.6);
  expect(after.share(idOf("="), false)).toBe(0);
  expect(after.name).toBeLessThan(0.1);
});

test("says that a name comes, and with a space", () => {
  const { kinds: after, idOf } = kinds("const a = 1; const b = 2;", "x; const");
  expect(after).toMatchObject({ nameIsSpaced: true });
  expect(after.name).toBeGreaterThan(0.5);
  expect(after.share(idOf("a"), true)).toBe(after.name);
});

test("all line breaks count as the line's end", () => {
  const { kinds: after } = kinds("f(a);\n  f(b);\n\nf(c);\n", "f(neverSeen);");
  expect(after.share(LINE_END, false)).toBeGreaterThan(0.5);
  expect(after.others.filter(({ id }) => id === LINE_END)).toHaveLength(1);
});

test("knows nothing where nothing was read", () => {
  expect(kinds("", "x").kinds).toMatchObject({ name: 0, others: [] });
});
