/** Files that someone who works on one would have open too: what it imports, and its neighbours in the folder. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { moduleOf } from "../graph/exports.ts";
import { familyOf } from "../graph/resolve/languages.ts";
import { folderOf } from "../graph/resolve/paths.ts";
import { treeOf } from "../graph/tree.ts";

/** Looked at in the folder, before and after the file by name. */
const MAX_NEIGHBOURS = 40;
const MAX_IMPORTS = 20;

/** @returns at most `limit`, the likeliest first; without the file itself */
export function nearbyFiles(db: IndexDb, path: string, limit: number): string[] {
  const neighbours = neighboursOf(db, path);
  const alike = neighbours
    .map((other) => ({ other, shared: sharedWords(path, other) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ other }) => other);
  const imported = importedBy(db, path);
  const found = new Set<string>();
  // In turns: either may be long, and neither says more than the other.
  for (let i = 0; i < Math.max(alike.length, imported.length) && found.size < limit; i++) {
    for (const other of [alike[i], imported[i]]) if (other !== undefined && other !== path) found.add(other);
  }
  return [...found].slice(0, limit);
}

/** @returns those nearest by name first */
function neighboursOf(db: IndexDb, path: string): string[] {
  const folder = folderOf(path);
  const start = folder === "" ? "" : `${folder}/`;
  // "0" is the character after "/".
  const end = folder === "" ? "\u{10ffff}" : `${folder}0`;
  const before = prepared<[string, string, number], { path: string }>(
    db,
    "SELECT path FROM live WHERE path < ? AND path >= ? ORDER BY path DESC LIMIT ?",
  ).all(path, start, MAX_NEIGHBOURS);
  const after = prepared<[string, string, number], { path: string }>(
    db,
    "SELECT path FROM live WHERE path > ? AND path < ? ORDER BY path LIMIT ?",
  ).all(path, end, MAX_NEIGHBOURS);
  return Array.from({ length: MAX_NEIGHBOURS }, (_, i) => [before[i], after[i]])
    .flat()
    .flatMap((row) => (row && folderOf(row.path) === folder ? [row.path] : []));
}

function importedBy(db: IndexDb, path: string): string[] {
  const family = familyOf(path);
  if (!family) return [];
  const tree = treeOf(db);
  const modules = tree
    .imports(path)
    .slice(0, MAX_IMPORTS)
    .flatMap((imported) => moduleOf(tree, family, path, imported)?.files.slice(0, 1) ?? []);
  return [...new Set(modules)];
}

/** `user-service.ts` and `order-service.ts` share `service` and `ts`: files of one kind. */
function sharedWords(a: string, b: string): number {
  const words = new Set(wordsOf(a));
  return wordsOf(b).filter((word) => words.has(word)).length;
}

const wordsOf = (path: string): string[] =>
  path
    .slice(path.lastIndexOf("/") + 1)
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => word.toLowerCase());
