// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is read has some
import { atCursor } from "@dhi/core/testing/at-cursor";
import fc from "fast-check";
import { expect, test } from "vitest";
import { literalAt } from "./literal-at.ts";

const at = (languageId: string, source: string) => literalAt(languageId, atCursor(source).prefix);

test.each([
  ["python", "x = 1  # the first█", "comment"],
  ["python", "x = 1  # the first\n█", "code"],
  ["python", 'def f():\n    """Adds\n    two█', "string"],
  ["python", 'def f():\n    """Adds."""\n    █', "code"],
  ["python", "x = 'it\\'s█", "string"],
  ["python", "x = 'never closed\ny = █", "code"],
  ["python", "x = '#'; y█", "code"],
  ["typescript", "const x = 1; // one█", "comment"],
  ["typescript", "/* one\n * two█", "comment"],
  ["typescript", "/* one */ let█", "code"],
  ["typescript", "const a = `x ${b█", "code"],
  ["typescript", "const a = `x ${{ b: `${c}` }.b} y█", "string"],
  ["typescript", "const a = `x\n y█", "string"],
  ["typescript", "const a = 'http://x█", "string"],
  ["typescript", "const a = /[\"/]'/.test(b) && c█", "code"],
  ["typescript", "const half = a / 2; const s = '█", "string"],
  ["rust", "fn f<'a>(x: &'a str) -> char { '\"' }█", "code"],
  ["rust", "/* a /* b */ c█", "comment"],
  ["rust", 'let s = r#"a "b" █', "string"],
  ["go", "s := `a\\`; t█", "code"],
  ["c", "char q = '\"'; int█", "code"],
  ["java", 'var s = """\n  a "b" █', "string"],
  ["shellscript", "n=$# # count█", "comment"],
  ["shellscript", "n=${x#y} m█", "code"],
  ["css", "a { color: #fff; /* x█", "comment"],
  ["html", "<a title='x'> it's <!-- no█", "comment"],
  ["lua", "--[[ a\n b█", "comment"],
  ["sql", "select 'a -- b█", "string"],
  ["klingon", "# who knows█", "code"],
])("%s: %s is %s", (languageId, source, expected) => {
  expect(at(languageId, source)).toBe(expected);
});

test.each(["typescript", "python", "rust", "lua", "shellscript"])(
  "%s: any text has an answer",
  (languageId) => {
    const marks = fc.constantFrom(
      "'",
      '"',
      "`",
      "\\",
      "\n",
      "/",
      "*",
      "#",
      "{",
      "}",
      "$",
      "-",
      "[",
      "]",
      "r",
      " a ",
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        expect(["code", "comment", "string"]).toContain(literalAt(languageId, parts.join("")));
      }),
    );
  },
);

const window = "const total = sum(lines.map((line) => line.price)); // `all` of them\n".repeat(300);

test("a window of 20,000 characters is read in under 2 ms of processor time", () => {
  expect(cpuMs((n) => literalAt("typescript", `// ${n}\n${window}`))).toBeLessThan(2);
});

test("typing on in a line reads only that line", () => {
  const key = cpuMs((n) => literalAt("typescript", `${window}${n}`));
  const another = cpuMs((n) => literalAt("typescript", `${window}// ${n}\n`));
  expect(key * 5).toBeLessThan(another);
});

test.each([
  ["python", '"""Adds\n', ["two█", 'two"""█', "two█"], ["string", "code", "string"]],
  ["typescript", "const a = `${{\n", ["b }█", "b }} c█", "b }█"], ["code", "string", "code"]],
  ["typescript", "// `one`\n", ["x█", "// x█", "'x█"], ["code", "comment", "string"]],
])(
  "%s: what one line closes is open for the next that is asked about",
  (languageId, above, lines, expected) => {
    expect(lines.map((line) => at(languageId, above + line))).toEqual(expected);
  },
);

/** Processor time of one run, in milliseconds. */
function cpuMs(run: (n: number) => unknown): number {
  for (let n = 0; n < 20; n++) run(n);
  const before = process.cpuUsage();
  for (let n = 20; n < 70; n++) run(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / 50;
}
