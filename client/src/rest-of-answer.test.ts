import { atCursor } from "@dhi/core/testing/at-cursor";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, restOfAnswer } from "./rest-of-answer.ts";

const answerAt = (source: string, text: string, changed: Partial<Answer> = {}): Answer => ({
  ...{ scope: "a.ts", text, isWhole: true },
  ...atCursor(source),
  ...changed,
});

/** As the editor would have it: `text`, and after a bar what it replaces. */
function restAt(answer: Answer, source: string, scope = "a.ts"): string {
  const now = atCursor(source);
  const verdict = restOfAnswer(answer, { scope, ...now });
  if (verdict.kind !== "rest") return verdict.kind;
  const { text, replaces } = verdict.rest;
  return replaces ? `${text}|${now.suffix.slice(0, replaces)}` : text;
}

test.each([
  ["is all of it where it was made", "x = █;", "total(a)", "x = █;", "total(a)"],
  ["shrinks as its text is typed", "x = █;", "total(a)", "x = tot█;", "al(a)"],
  ["is empty when all of it was typed", "x = █;", "total(a)", "x = total(a)█;", ""],
  ["goes on behind an accepted line", "if x:█\n", "\n    a()\n    b()", "if x:\n    a()█\n", "\n    b()"],
  ["goes on behind an accepted word", "x = █", "shop.total(a)", "x = shop.█", "total(a)"],
  ["goes over a closing bracket that was typed over", "x = █;", "f(a) + 1", "x = f(a)█;", " + 1"],
  ["replaces the bracket that the editor closed", "x = █;", "f(a)", "x = f(█);", "a)|)"],
  ["replaces several brackets", "x = █;", "f([a])", "x = f([█]);", "a])|])"],
  ["replaces a quote at the end of a file", "x = █", 'f("a")', 'x = f("█")', 'a")|")'],
  ["goes on behind the bracket that it closes itself", "x = █;", "f(a) + 1", "x = f(█);", "a) + 1|)"],
])("%s", (_, made, text, now, expected) => {
  expect(restAt(answerAt(made, text), now)).toBe(expected);
});

test.each([
  ["backspace goes past where it was made", "x = t█;", "otal(a)", "x = █;"],
  ["something else is typed", "x = █;", "total(a)", "x = s█;"],
  ["the case differs", "x = █;", "total(a)", "x = T█;"],
  ["the code behind the cursor changes", "x = █;", "total(a)", "x = tot█, y;"],
  ["it has not the bracket that the editor closed", "x = █;", "f(a", "x = f(█);"],
  ["a bracket stands there that nothing typed has opened", "x = █;", "total(a)", "x = tot█);"],
])("is over when %s", (_, made, text, now) => {
  expect(restAt(answerAt(made, text), now)).toBe("other");
});

test("is for its own scope only", () => {
  expect(restAt(answerAt("x = █;", "y"), "x = █;", "b.ts")).toBe("other");
});

test.each([
  ["is open while it is shorter than what was typed", "to", "x = tot█;", "open"],
  ["is open while its closing bracket is to come", "f(a", "x = f(█);", "open"],
  ["is over as soon as it differs", "ta", "x = tot█;", "other"],
  ["has a rest already", "total", "x = tot█;", "al"],
])("an answer that is being written %s", (_, text, now, expected) => {
  expect(restAt(answerAt("x = █;", text, { isWhole: false }), now)).toBe(expected);
});

test("survives that the window above the cursor moves on", () => {
  const above = Array.from({ length: 100 }, (_, i) => `line ${i} of the file\n`).join("");
  const answer = answerAt(`${above}x = █\n`, "a\nb\nc");
  expect(restAt(answer, `${above.slice(200)}x = a\nb█\n`)).toBe("\nc");
  expect(restAt(answer, `${above.slice(200)}y = a\nb█\n`)).toBe("other");
});

test("never replaces a character that the text does not repeat, and never the old suffix", () => {
  const code = fc.string({ unit: fc.constantFrom(..."ab()[]{}\"' \n") });
  fc.assert(
    fc.property(code, code, code, fc.nat(20), code, (prefix, suffix, text, split, closed) => {
      const typed = text.slice(0, split);
      const now = { scope: "a.ts", prefix: prefix + typed, suffix: closed + suffix };
      const verdict = restOfAnswer({ scope: "a.ts", prefix, suffix, text, isWhole: true }, now);
      if (verdict.kind !== "rest") return;
      const { text: rest, replaces } = verdict.rest;
      const replaced = [...now.suffix.slice(0, replaces)];
      let at = 0;
      for (const mark of replaced) at = rest.indexOf(mark, at) + 1 || Number.NaN;
      expect([Number.isNaN(at), replaced.length <= typed.length]).toEqual([false, true]);
      expect(now.suffix.slice(replaces).slice(0, 256)).toBe(suffix.slice(0, 256));
    }),
  );
});
