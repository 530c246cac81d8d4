import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverageOf } from "./testing/coverage.ts";
import { LANGUAGES, programs } from "./testing/programs.ts";
import { analyze } from "./testing/render.ts";

const runs = { numRuns: 6 };

describe.each(LANGUAGES)("a program in .%s", (language) => {
  test("has each of its definitions found, and whole in one chunk with its comments and decorators when that can hold it", () => {
    fc.assert(
      fc.property(programs(language), ({ path, text, names }) => {
        const analysis = analyze(path, text);
        const found = analysis.symbols.map(({ container, name }) =>
          container ? `${container}.${name}` : name,
        );
        expect(found).toEqual(expect.arrayContaining([...names]));
        const { lines, wholeLines, definitions, wholeDefinitions, largeDefinitions, largeWithHead, ...rest } =
          coverageOf(text, analysis);
        expect([wholeLines, wholeDefinitions, largeWithHead]).toEqual([lines, definitions, largeDefinitions]);
        expect(rest.chunksOverBudget).toBe(0);
      }),
      runs,
    );
  });

  test("has the same chunks and symbols whatever ends its lines", () => {
    fc.assert(
      fc.property(programs(language), ({ path, text }) => {
        const { chunks, symbols } = analyze(path, text.replaceAll("\n", "\r\n"));
        const expected = analyze(path, text);
        expect(chunks.map((chunk) => ({ ...chunk, text: chunk.text.replaceAll("\r\n", "\n") }))).toEqual(
          expected.chunks,
        );
        expect(symbols).toEqual(expected.symbols);
      }),
      runs,
    );
  });

  test("loses nothing when part of it or some of its brackets are missing, as while it is being typed", () => {
    const damage = fc.record({
      from: fc.nat(),
      length: fc.nat(400),
      bracket: fc.integer({ min: 2, max: 9 }),
    });
    fc.assert(
      fc.property(programs(language), damage, ({ path, text }, { from, length, bracket }) => {
        const at = from % (text.length + 1);
        for (const broken of [
          text.slice(0, at),
          text.slice(0, at) + text.slice(at + length),
          dropEach(bracket, text),
        ])
          expect(coverageOf(broken, analyze(path, broken)).chunksOverBudget).toBe(0);
      }),
      runs,
    );
  });
});

/** Without every n-th bracket or quote. */
function dropEach(n: number, text: string): string {
  let seen = 0;
  return text.replace(/[()[\]{}"]/g, (bracket) => (++seen % n === 0 ? "" : bracket));
}
