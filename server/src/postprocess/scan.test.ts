import { expect, test } from "vitest";
import { type Lexis, lexisOf } from "./lexis.ts";
import { scan } from "./scan.ts";

const lexis = (languageId: string): Lexis => lexisOf({ languageId })!;

/** Brackets and literals that are open, as they are written. */
const open = (text: string, languageId: string) =>
  scan(text, lexis(languageId)).open.map((frame) =>
    "bracket" in frame ? frame.bracket : frame.literal.open,
  );

test.each([
  ["typescript", "f(a[{", ["(", "[", "{"]],
  ["typescript", "f(')', \"]\", `}`, /[)]/) {", ["{"]],
  ["typescript", "a / b( / c", ["("]],
  ["typescriptreact", "return <A b={c} />;/* (", ["/*"]],
  ["typescript", "x = `a${f(`b${", ["`", "{", "(", "`", "{"]],
  ["typescript", `x = \`a\${{b: 1}} c`, ["`"]],
  ["typescript", "// (\n/* { */ [", ["["]],
  ["typescript", "f('a\\'b(", ["(", "'"]],
  ["typescript", "it's (\n[", ["(", "["]],
  ["python", "def f(a='''(\n", ["(", "'''"]],
  ["python", "# it's (\nx = [", ["["]],
  ["rust", "fn f<'a>(x: &'a str, c: char) { m('(', '\\'', b'{'", ["{", "("]],
  ["rust", 'r#"a "(" b"# [', ["["]],
  ["rust", "/* a /* b */ c", ["/*"]],
  ["go", "x := `\\` + '(' + \"", ['"']],
  ["java", 'f("""\n a "b" (', ["(", '"""']],
  ["csharp", '@"a\\" (', ["("]],
])("%s: what is open after %j", (languageId, text, expected) => {
  expect(open(text, languageId)).toEqual(expected);
});

test("an unfinished string ends with its line and is told", () => {
  const { unterminated, open: left } = scan("a = 'b\nf(", lexis("typescript"));
  expect(unterminated.map(({ at }) => at)).toEqual([4]);
  expect(left).toEqual([{ bracket: "(" }]);
});

test("goes on where another text ended", () => {
  const before = scan("f(`a${", lexis("typescript")).open;
  const { open: left, kept, closed, firstClose } = scan("b}c`))", lexis("typescript"), before);
  expect({ left, kept, firstClose }).toEqual({ left: [], kept: 0, firstClose: 1 });
  expect(closed).toEqual([
    { what: "}", at: 1, fits: true, inOwn: false },
    { what: ")", at: 4, fits: true, inOwn: false },
    { what: ")", at: 5, fits: false, inOwn: false },
  ]);
});

test("a closer that does not fit is told, and whether it misses a bracket of the text", () => {
  expect(scan("(]", lexis("go")).closed).toEqual([{ what: "]", at: 1, fits: false, inOwn: true }]);
});
