/**
 * Who calls a definition, and what it calls. Both read rows by key, of a common name a bounded number of them, and stop
 * when their time is up: they cost milliseconds however large the workspace is.
 */
import type { ReferenceKind } from "@dhi/core/chunk";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { targetsOf } from "./reference.ts";
import { familyOf } from "./resolve/languages.ts";
import { folderOf, upwards } from "./resolve/paths.ts";
import type { Confidence, Target } from "./scope.ts";
import type { Search } from "./search-steps.ts";
import { type Located, qualified, type Tree, treeOf } from "./tree.ts";

export interface Caller {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The definition around it, as `Invoice.total`; `null` at the top level. */
  readonly enclosing: string | null;
  readonly kind: ReferenceKind;
  readonly confidence: Confidence;
}

export interface Callee {
  readonly definition: Located;
  /** 1-based, of the first use. */
  readonly line: number;
  readonly kind: ReferenceKind;
  readonly confidence: Confidence;
}

export interface CallerQuery {
  /** Default 50. */
  readonly limit?: number;
  /** Of the file that defines the name. */
  readonly path: string;
  /** `total`, or `Invoice.total` when several classes of the file have one. */
  readonly name: string;
  /** Rows with the name that are looked at, besides those of the same file. Default 100. */
  readonly maxRows?: number;
}

export interface CalleeQuery {
  /** Default 50. */
  readonly limit?: number;
  readonly path: string;
  /** The definition that calls, as {@link Caller.enclosing} has it; what is nested in it counts. */
  readonly enclosing: string;
}

const LIMIT = 50;
const MAX_ROWS = 100;

/** What the file defines under the name, at any depth; see {@link CallerQuery.name}. */
export function definitionsIn(db: IndexDb, { path, name }: Pick<CallerQuery, "path" | "name">): Located[] {
  return definitions(treeOf(db), path, name);
}

/**
 * Step by step: when its time is up, it returns what it has. What was resolved is kept, so asking again gets further.
 *
 * @returns surest first, then by path and line; empty for a name that the file does not define
 */
export function* searchCallers(
  db: IndexDb,
  { path, name, limit = LIMIT, maxRows = MAX_ROWS }: CallerQuery,
): Search<Caller[]> {
  const tree = treeOf(db);
  const wanted = definitions(tree, path, name);
  const [first] = wanted;
  const family = familyOf(path);
  if (!first || !family) return [];
  const isWanted = ({ definition }: Target) =>
    wanted.some((one) => one.path === definition.path && one.startLine === definition.startLine);

  const callers = new Map<string, Caller>();
  for (const use of usesNamed(db, path, [first.name, ...aliasesOf(db, first.name)], maxRows)) {
    if (yield) break;
    if (familyOf(use.path) !== family) continue;
    const target = targetsOf(tree, use).find(isWanted);
    if (target) callers.set(`${use.path} ${use.line} ${use.kind}`, callerFrom(use, target));
  }
  return [...callers.values()]
    .sort((a, b) => rank(a) - rank(b) || compare(a.path, b.path) || a.line - b.line)
    .slice(0, limit);
}

/** The same. @returns the definitions it uses, surest first, then in the order of the text; not itself */
export function* searchCallees(
  db: IndexDb,
  { path, enclosing, limit = LIMIT }: CalleeQuery,
): Search<Callee[]> {
  const tree = treeOf(db);
  const uses = prepared<[string, string, string, string], UseRow>(
    db,
    `${USE} FROM live CROSS JOIN refs USING (blob_id)
     WHERE live.path = ? AND (enclosing = ? OR (enclosing > ? AND enclosing < ?)) ORDER BY ordinal`,
    // "/" is the character after ".".
  ).all(path, enclosing, `${enclosing}.`, `${enclosing}/`);
  const callees = new Map<string, Callee>();
  for (const use of uses) {
    if (yield) break;
    for (const { definition, confidence } of targetsOf(tree, use)) {
      const key = `${definition.path} ${definition.startLine} ${definition.name}`;
      const isOwn = definition.path === path && isWithin(qualified(definition), enclosing);
      const known = callees.get(key);
      if (!isOwn && (!known || RANK[confidence] < RANK[known.confidence]))
        callees.set(key, { definition, line: known?.line ?? use.line, kind: use.kind, confidence });
    }
  }
  return [...callees.values()].sort((a, b) => rank(a) - rank(b) || a.line - b.line).slice(0, limit);
}

const isWithin = (name: string, enclosing: string) => name === enclosing || name.startsWith(`${enclosing}.`);

const RANK: Readonly<Record<Confidence, number>> = { exact: 0, imported: 1, name: 2 };
const rank = ({ confidence }: { readonly confidence: Confidence }) => RANK[confidence];
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function definitions(tree: Tree, path: string, name: string): Located[] {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return tree.symbols(path, last).filter((symbol) => last === name || qualified(symbol) === name);
}

interface UseRow {
  readonly path: string;
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly enclosing: string | null;
  readonly receiver: string | null;
}

const USE = "SELECT live.path, refs.name, refs.kind, refs.line, refs.enclosing, refs.receiver";

/** Those of the file first, and of a common name those nearby: however many others there are, they are not left out. */
function* usesNamed(db: IndexDb, path: string, names: readonly string[], maxRows: number): Generator<UseRow> {
  for (const name of names) {
    yield* prepared<[string, string], UseRow>(
      db,
      `${USE} FROM live CROSS JOIN refs USING (blob_id) WHERE live.path = ? AND refs.name = ? ORDER BY ordinal`,
    ).all(path, name);
    const anywhere = prepared<[string, string, number], UseRow>(
      db,
      `${USE} FROM refs CROSS JOIN live USING (blob_id) WHERE refs.name = ? AND live.path <> ? LIMIT ?`,
    ).all(name, path, maxRows);
    if (anywhere.length >= maxRows) yield* usesNearby(db, path, name, maxRows);
    yield* anywhere;
  }
}

/** Files around a definition that are looked into for its name. */
const NEARBY_FILES = 300;

/** In the largest folder around the file that has no more files than that. */
function usesNearby(db: IndexDb, path: string, name: string, maxRows: number): UseRow[] {
  const count = prepared<[string, string, number], { files: number }>(
    db,
    "SELECT count(*) AS files FROM (SELECT 1 FROM live WHERE path > ? AND path < ? LIMIT ?)",
  );
  const folder = upwards(folderOf(path)).findLast((one) => {
    const files = one === "" ? undefined : count.get(`${one}/`, `${one}0`, NEARBY_FILES + 1)?.files;
    return files !== undefined && files <= NEARBY_FILES;
  });
  if (folder === undefined) return [];
  return prepared<[string, string, string, string, number], UseRow>(
    db,
    `${USE} FROM live CROSS JOIN refs USING (blob_id)
     WHERE live.path > ? AND live.path < ? AND refs.name = ? AND live.path <> ? LIMIT ?`,
  ).all(`${folder}/`, `${folder}0`, name, path, maxRows);
}

/** A name under more aliases than this is no name to look for. */
const MAX_ALIASES = 8;

/** What files call it that import it under another name: `import { total as sum }`. */
function aliasesOf(db: IndexDb, name: string): string[] {
  // The condition is that of the index, which is not used without it.
  return prepared<[string, number], { local: string }>(
    db,
    `SELECT DISTINCT local FROM imports
     WHERE name = ? AND local <> name AND local <> '' AND name <> '' AND name <> '*' AND name <> 'default' LIMIT ?`,
  )
    .all(name, MAX_ALIASES)
    .map(({ local }) => local);
}

function callerFrom({ path, line, enclosing, kind }: UseRow, { confidence }: Target): Caller {
  return { path, line, enclosing, kind, confidence };
}
