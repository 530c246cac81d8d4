/** Neighbours of the enclosing function in the call graph: how it is used, what it and its siblings call. */
import { calleesOf, callersOf } from "../../graph/call-graph.ts";
import { enclosing } from "../../graph/enclosing.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { type Located, qualified, treeOf } from "../../graph/tree.ts";
import type { Found, Leg } from "../leg.ts";
import { linesAround, symbolCandidates } from "../symbol-candidates.ts";

const MAX_FOUND = 20;
const MAX_CALLERS = 6;
const MAX_CALLEES = 12;
const MAX_SIBLINGS = 3;
const CALLEES_OF_SIBLING = 4;
/** Uses that are resolved, each within some 50 µs: by the function, by each sibling, of the function. */
const CALLEE_ROWS = 24;
const SIBLING_ROWS = 8;
const CALLER_ROWS = 16;
/** Never reached but where one of them takes a hundred times as long. */
const BUDGET_MS = 20;

/** Callees first, since a caller tells how to call what is being written and not how to write it. */
export const callsLeg: Leg = (db, { path, line, before }) => {
  if (!familyOf(path)) return [];
  const tree = treeOf(db);
  const { callable, owner } = enclosing(db, path, line, before);
  if (!callable) return [];
  const found: Found[] = [];
  function add(definitions: readonly Located[], score: (rank: number) => number): void {
    const elsewhere = definitions.filter((one) => one.path !== path);
    symbolCandidates(db, elsewhere).forEach((candidate, rank) => {
      found.push({ ...candidate, score: score(rank) });
    });
  }
  const callees = (name: string, limit: number, maxRows: number) =>
    calleesOf(db, { path, enclosing: name, limit, maxRows, budgetMs: BUDGET_MS }).map(
      ({ definition }) => definition,
    );

  add(callees(qualified(callable), MAX_CALLEES, CALLEE_ROWS), (rank) => 1 / (rank + 1));
  const siblings = tree
    .inside(path, owner && callable.container !== null ? callable.container : null)
    .filter(
      (one) => (one.kind === "method" || one.kind === "function") && one.startLine !== callable.startLine,
    )
    .sort((a, b) => Math.abs(a.startLine - line) - Math.abs(b.startLine - line))
    .slice(0, MAX_SIBLINGS);
  siblings.forEach((sibling, nearest) => {
    add(callees(qualified(sibling), CALLEES_OF_SIBLING, SIBLING_ROWS), (rank) => 0.5 / (nearest + rank + 1));
  });
  const callers = callersOf(db, {
    ...{ path, name: qualified(callable), limit: MAX_CALLERS, maxRows: CALLER_ROWS, budgetMs: BUDGET_MS },
  });
  callers
    .filter((caller) => caller.path !== path && caller.confidence !== "name")
    .forEach((caller, rank) => {
      const around = linesAround(db, caller);
      if (around) found.push({ ...around, score: 0.7 / (rank + 1) });
    });
  return unique(found)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND);
};

/** Each place with the best of its scores. */
function unique(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.path} ${one.startLine} ${one.endLine}`;
    const known = best.get(key);
    if (!known || known.score < one.score) best.set(key, one);
  }
  return [...best.values()];
}
