import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { balanceLiterals } from "./balance-literals.ts";

const run = (source: string, text: string, languageId = "typescript") =>
  balanceLiterals(text, { request: { ...atCursor(source), languageId }, stop: [] });

test.each([
  ["a string that would swallow the rest of the line", "f(█)", "a, 'b", "a, "],
  ["a quote that turns the rest of the line inside out", "'█/hello/:name': [", "/hello': [", "/hello"],
  ["a comment that would swallow the rest of the line", "f(█)", "a // b", "a "],
  ["a comment that would swallow the code below", "█\nfoo();", "a();\n/* b", "a();\n"],
  ["a template that would", "█\nfoo();", "a();\nb(`c", "a();\nb("],
  ["the end of a comment that goes on below", "/*\n * █\n * b\n */\nc();", "a */", "a "],
  ["the end of a comment that did not begin", "█", "a();*/\nb();", "a();"],
  ["a string that its line does not end", "█", "a();\nb('c);\nd();", "a();\nb("],
  ["a stray quote at the end", "x = f(█", "a)';", "a)"],
  ["a comment begun where another was closed", "/**\n * a█\nfoo();", "\n */\nb();/*", "\n */\nb();"],
  ["a comment begun behind a template", "x = f(`a█\n\nb();", "`/*)", "`"],
  ["one behind a string", "x = █", '"a""', '"a"'],
  ["a whole run of them", "x = █", 'a"""', "a"],
  ["a quote too many where one is missing", 'throw E("█" + a);', '"', undefined],
  ["a quote behind a word", "x = █", "sum'(a) + b'", "sum"],
])("cuts before %s", (_, source, text, expected) => {
  expect(run(source, text)).toEqual(expected ?? { drop: "unbalanced" });
});

test.each([
  ["a whole string", "f(█)", "'a', \"b\""],
  ["the inside of a string", 'f("█")', "it's"],
  ["a string that ends and another that begins", 'f("█")', 'a", "b'],
  ["an escaped quote", 'f("█")', '\\"a'],
  ["an open string at the end of a line", "f(█", "'a b"],
  ["words in a comment", "// don't █ (x)", "say 'a"],
  ["a template with a hole", "x = █;", `\`a\${f(\`b\${c}\`)}d\``],
  ["a regular expression with quotes", "x = █;", "/[\"'`/]+/.test(a)"],
  ["a comment at the end of a line", "a();█", " // don't"],
  ["a whole block comment", "█\nfoo();", "/** a */\nb();"],
  ["the beginning of a comment whose end is there", "█\n * b\n */\nc();", "/**\n * a"],
  ["the end of a comment that has none", "/* a █\nb();\n/* c */", "*/"],
  ["the last sign of a comment's end", "/* a\n *█\nb();", "/"],
])("keeps %s", (_, source, text) => {
  expect(run(source, text)).toBe(text);
});

test.each([
  ["python", "x = █", "f\"{a['b']}\" + rb'c'"],
  ["python", "def f():\n    █\n    return 1", '"""Don\'t."""'],
  ["rust", "fn f<'a>(x: &'a str█) {", ", y: &'a str"],
  ["rust", "let x = █;", 'r#"a "b" c"#.find(\'"\')'],
  ["go", "x := █", "`a\n\"b` + '\"'"],
  ["java", "x = █", '"""\n  a "b"\n  """'],
  ["javascriptreact", "<p>█</p>", "Don't do that"],
])("keeps good %s: %s%s", (languageId, source, text) => {
  expect(run(source, text, languageId)).toBe(text);
});

test("where half a string stands right of the cursor, the quote that makes it whole stays", () => {
  expect(run('f(█b")', 'a, """"', "python")).toBe('a, "');
});

test("of three quotes none stays before the rest of a line", () => {
  expect(run("f(█),", 'a="b c")"""', "python")).toBe('a="b c")');
});

test("a text that is all quote is dropped", () => {
  expect(run("f(█)", "'a, b")).toEqual({ drop: "unbalanced" });
});
