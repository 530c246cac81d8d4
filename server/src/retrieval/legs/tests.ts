/** From a test to what it tests, and from code to the places that test it: each shows how the other is meant. */
import type { IndexDb } from "@dhi/core/index-db";
import { prepared } from "@dhi/core/index-db";
import { enclosing } from "../../graph/enclosing.ts";
import { moduleOf } from "../../graph/exports.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { type Tree, treeOf } from "../../graph/tree.ts";
import type { Found, Leg } from "../leg.ts";
import type { RetrievalQuery } from "../query.ts";
import { linesAround, symbolCandidates } from "../symbol-candidates.ts";
import { isTest, subjectsOf, testsOf } from "../test-pairs.ts";

const MAX_FOUND = 16;
const MAX_FILES = 4;
const MAX_USES = 4;

export const testsLeg: Leg = (db, query) => {
  if (!familyOf(query.path)) return [];
  return isTest(query.path) ? testedBy(db, query) : usesInTests(db, query);
};

/** What the tested files define, names near the cursor first. */
function testedBy(db: IndexDb, { path, names }: RetrievalQuery): Found[] {
  const tree = treeOf(db);
  const near = new Map(names.map((name, rank) => [name, 1 / (rank + 1)]));
  const defined = subjectFiles(tree, path).flatMap((file, rank) =>
    tree
      .inside(file, null)
      .filter(({ exported, kind }) => exported && kind !== "module")
      .flatMap((one) => [one, ...(one.kind === "class" ? tree.inside(file, one.name) : [])])
      .map((definition) => ({
        definition,
        score:
          0.5 / (rank + 1) + (near.get(definition.name) ?? 0) + (definition.container === null ? 0.1 : 0),
      })),
  );
  return defined
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .flatMap(({ definition, score }) =>
      symbolCandidates(db, [definition]).map((candidate) => ({ ...candidate, score })),
    );
}

/** By name and place; else what the test imports, which is mostly what it is about. */
function subjectFiles(tree: Tree, path: string): string[] {
  const named = subjectsOf(tree, path).slice(0, MAX_FILES);
  const family = familyOf(path);
  if (named.length || !family) return named;
  const imported = tree
    .imports(path)
    .flatMap((one) => moduleOf(tree, family, path, one)?.files ?? [])
    .filter((file) => file !== path && !isTest(file));
  return [...new Set(imported)].slice(0, MAX_FILES);
}

/** Where its tests use the function that is being written, or its class. */
function usesInTests(db: IndexDb, { path, line, before }: RetrievalQuery): Found[] {
  const tests = testsOf(treeOf(db), path).slice(0, MAX_FILES);
  if (!tests.length) return [];
  const { callable, owner } = enclosing(db, path, line, before);
  const names = [callable?.name, owner?.name].filter((name) => name !== undefined);
  const uses = prepared<[string, string, number], { line: number; enclosing: string | null }>(
    db,
    `SELECT line, enclosing FROM live CROSS JOIN refs USING (blob_id)
     WHERE live.path = ? AND refs.name = ? ORDER BY ordinal LIMIT ?`,
  );
  const found: Found[] = [];
  tests.forEach((test, file) => {
    names.forEach((name, outwards) => {
      uses.all(test, name, MAX_USES).forEach((use, rank) => {
        const around = linesAround(db, { path: test, ...use });
        const isShown = found.some(
          (one) => one.path === test && one.startLine <= use.line && use.line <= one.endLine,
        );
        if (around && !isShown) found.push({ ...around, score: 1 / (1 + file + rank + outwards) });
      });
    });
  });
  return found.sort((a, b) => b.score - a.score).slice(0, MAX_FOUND);
}
