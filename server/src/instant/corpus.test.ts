import { expect, test } from "vitest";
import { Corpus } from "./corpus.ts";
import { UNKNOWN } from "./vocabulary.ts";

const tokensOf = ({ tokens, vocabulary }: Corpus) =>
  Array.from({ length: tokens.length }, (_, i) => vocabulary.text(tokens.id(i)));
const file = (path: string, text: string, symbols: string[] = []) => ({ path, text, symbols });

test("reads a long file in steps as it would in one", () => {
  const text = Array.from(
    { length: 4_000 },
    (_, i) => `${"  ".repeat(i % 5)}call(${i});\n${i % 7 ? "" : "\n  \n"}`,
  ).join("");
  const corpus = new Corpus({ headBits: 10 });
  let steps = 0;
  for (const _ of corpus.addInSteps(file("a.ts", text))) steps++;
  expect(steps).toBeGreaterThan(3);
  // Words and the changes of indent, in the order of the text.
  const whole = new Corpus({ headBits: 10 });
  const half = text.indexOf("\n", 8_000);
  whole.add(file("a.ts", text.slice(0, half)));
  const read = tokensOf(corpus).slice(0, whole.tokens.length - 1);
  expect(read).toEqual(tokensOf(whole).slice(0, -1));
  expect(tokensOf(corpus).filter((t) => t === "call")).toHaveLength(4_000);
});

test("keeps the old text of a file until the new one is read", () => {
  const corpus = new Corpus({ headBits: 10 });
  corpus.add(file("a.ts", "before"));
  const steps = corpus.addInSteps(file("a.ts", "after"));
  steps.next();
  expect([corpus.segmentAt(0)?.live, corpus.segmentAt(2)?.live]).toEqual([true, false]);
  steps.next();
  expect([corpus.segmentAt(0)?.live, corpus.segmentAt(2)?.live]).toEqual([false, true]);
});

test("counts uses and definitions of live files only", () => {
  const corpus = new Corpus({ headBits: 10 });
  corpus.add(file("a.ts", "total = total + 1", ["total"]));
  corpus.add(file("b.ts", "total"));
  const total = corpus.vocabulary.find("total");
  expect([corpus.uses(total), corpus.definitions(total), corpus.files]).toEqual([3, 1, 2]);
  corpus.remove("a.ts");
  expect([corpus.uses(total), corpus.definitions(total), corpus.files]).toEqual([1, 0, 1]);
  expect([corpus.liveTokens, corpus.deadTokens]).toEqual([2, 6]);
});

test("a name that takes quotes is no word: what stands between them can be a key", () => {
  const corpus = new Corpus({ headBits: 10 });
  const names = ["content-type", "glpat-aB3dE5fG7hI9jK1lM3nO", "[Symbol.iterator]", "size"];
  corpus.add(file("a.ts", "", names));
  expect(names.map((name) => corpus.vocabulary.find(name) !== UNKNOWN)).toEqual([false, false, false, true]);
});

test("says when it holds far more than it was made for", () => {
  const corpus = new Corpus({ headBits: 4 });
  corpus.add(file("a.ts", "total ".repeat(200)));
  expect(corpus.isOutgrown).toBe(false);
  corpus.add(file("b.ts", "total ".repeat(200)));
  expect(corpus.isOutgrown).toBe(true);
});
