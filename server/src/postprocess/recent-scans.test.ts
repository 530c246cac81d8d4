import fc from "fast-check";
import { expect, test } from "vitest";
import { lexisOf } from "./lexis.ts";
import { openAtEnd, scanBehind } from "./recent-scans.ts";
import { scan } from "./scan.ts";

const LANGUAGES = ["typescript", "javascript", "python", "go", "rust", "java", "c"];
const PIECES = [
  ..."(){}[]\"'`/*#\\ax=,:".split(""),
  ...["\n", "\n", "\r\n", "\\\n", "${", "//", "/*", "*/", '"""', "'''", 'r#"', '"#', "return ", "'a'", " "],
];
const code = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(""));
const lexis = fc.constantFrom(...LANGUAGES).map((languageId) => lexisOf({ languageId })!);

const whole = (text: string, of: NonNullable<ReturnType<typeof lexisOf>>) => {
  const { open, closed } = scan(text, of);
  return { open, isWhole: closed.length === 0 };
};

test("what is open while a text is typed, deleted and typed otherwise is what reading all of it says", () => {
  const typed = fc.tuple(lexis, code, code, code);
  fc.assert(
    fc.property(typed, ([of, before, line, other]) => {
      for (const text of [before, before + line, before + line + other, before + other, before])
        expect(openAtEnd(text, of)).toEqual(whole(text, of));
    }),
    { numRuns: 3_000 },
  );
});

test("what stands behind is read once for the same text with the same things open", () => {
  fc.assert(
    fc.property(lexis, code, code, code, (of, text, before, other) => {
      for (const { open } of [scan(before, of), scan(other, of), scan(before, of)])
        expect(scanBehind(text, of, open)).toEqual(scan(text, of, open));
    }),
  );
  const go = lexisOf({ languageId: "go" })!;
  const { open } = scan("f(", go);
  expect(scanBehind(")\n", go, open)).toBe(scanBehind(")\n", go, scan("g(", go).open));
});

/** @param read called for each `(` that is read */
const counting = (read: () => void) =>
  ({ ...lexisOf({ languageId: "go" })!, tokens: [{ exec: read }], tokenStarts: "(" }) as never;

test("a line that is typed is all that is read again", () => {
  let read = 0;
  const of = counting(() => void read++);
  const lines = "f(a)\n".repeat(100);
  openAtEnd(`${lines}g(`, of);
  const first = read;
  openAtEnd(`${lines}g(h(`, of);
  expect([first, read]).toEqual([101, 103]);
});

test("a bracket too many has all read again, once, until it is gone", () => {
  let read = 0;
  const of = counting(() => void read++);
  const lines = "f(a)\n".repeat(100);
  const counts = [`${lines}g(`, `${lines})\ng(`, `${lines}g(`].map((text) => {
    read = 0;
    openAtEnd(text, of);
    return read;
  });
  expect(counts).toEqual([101, 101, 1]);
});
