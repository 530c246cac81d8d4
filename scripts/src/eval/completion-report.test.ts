import { expect, test } from "vitest";
import type { Completed, Retrieval } from "./completion-measure.ts";
import { completionMarkdown, completionReport } from "./completion-report.ts";

/** Rows of the tables, without what aligns them. */
const cellsOf = (markdown: string) =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.replaceAll(/ +/g, " "));

const run = { set: "test", seed: 1, commit: "abc", date: "2026-01-01", machine: "2 cores" };

function answer(i: number, retrieval: Retrieval, isRight: boolean): Completed {
  return {
    cursor: { id: String(i), package: "a", language: "go", kind: i === 0 ? "body" : "next-line" },
    ...{ retrieval, engine: "ollama", model: "m", isEmpty: false, exact: isRight, isBeginning: isRight },
    ...{ similarity: isRight ? 1 : 0.5, identifierF1: isRight ? 1 : 0, ms: 10 * (i + 1) },
  };
}

const sure = (value: number) => ({ value, low: value, high: value });

test("figures by kind and language, with retrieval and without, and what retrieval gains", () => {
  const completed = [0, 1].flatMap((i) => [answer(i, "on", true), answer(i, "off", false)]);
  const { rows, gain, engine, model } = completionReport(completed, undefined, run);
  expect({ engine, model }).toEqual({ engine: "ollama", model: "m" });
  expect(rows.map(({ by, group, retrieval, cursors }) => `${by} ${group} ${retrieval} ${cursors}`)).toEqual([
    ...["all all on 2", "all all off 2"],
    ...["kind body on 1", "kind body off 1", "kind next-line on 1", "kind next-line off 1"],
    ...["language go on 2", "language go off 2"],
  ]);
  expect(rows.slice(0, 2)).toEqual([
    {
      ...{ by: "all", group: "all", retrieval: "on", cursors: 2, empty: 0, shownRight: 1 },
      ...{ exact: sure(1), similarity: sure(1), identifierF1: sure(1), p50Ms: 10, p95Ms: 20 },
    },
    {
      ...{ by: "all", group: "all", retrieval: "off", cursors: 2, empty: 0, shownRight: 0 },
      ...{ exact: sure(0), similarity: sure(0.5), identifierF1: sure(0), p50Ms: 10, p95Ms: 20 },
    },
  ]);
  expect(gain).toEqual({ exact: sure(1), similarity: sure(0.5), identifierF1: sure(1) });
});

test("an empty answer counts in every share but that of what is shown", () => {
  const empty = { isEmpty: true, exact: false, similarity: 0, identifierF1: 0, isBeginning: false };
  const { rows, gain } = completionReport(
    [answer(0, "on", true), { ...answer(1, "on", false), ...empty }],
    undefined,
    run,
  );
  expect(rows[0]).toMatchObject({ empty: 0.5, shownRight: 1, exact: { value: 0.5 } });
  expect(gain).toBeUndefined();
});

test("the section says which engine it was, what retrieval gained and which bodies passed", () => {
  const completed = [answer(0, "on", true), answer(0, "off", false)];
  const bodies = { package: "Markdown-3.7", bodies: 4, passed: { on: 1, off: 0 } };
  const markdown = completionMarkdown(completionReport(completed, bodies, run));
  expect(markdown).toContain("completes: ollama, m\n");
  expect(cellsOf(markdown)).toContain(
    "| all | on | 1 | 0.0 | 100.0 (100.0 to 100.0) | 100.0 (100.0 to 100.0) | 100.0 (100.0 to 100.0) | 100.0 | 10.0 / 10.0 |",
  );
  expect(markdown).toContain("in points: exact 100.0 (100.0 to 100.0); similarity 50.0 (50.0 to 50.0);");
  expect(markdown).toContain(
    "pass with 1 of 4 (25.0 %) with retrieval on, 0 of 4 (0.0 %) with retrieval off.",
  );
});

test("of the instant tier the section says that retrieval changes nothing", () => {
  const markdown = completionMarkdown(completionReport([answer(0, "on", true)], undefined, run));
  expect(markdown).toContain("This engine reads no prompt");
  expect(markdown).not.toContain("Bodies of functions");
});
