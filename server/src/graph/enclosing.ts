/** What a line of a file stands in. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { type Family, familyOf } from "./resolve/languages.ts";
import { type Located, type Tree, treeOf } from "./tree.ts";

export interface Around {
  /** The innermost function or method around the line. */
  readonly callable: Located | undefined;
  /** The innermost class, interface or the like around it; of a method that stands apart from it, the type it belongs to. */
  readonly owner: Located | undefined;
}

/**
 * By the index and, where the code around the cursor is too unfinished to be read, by the nearest head of a definition above.
 *
 * @param before the text that ends in that line
 */
export function enclosing(db: IndexDb, path: string, line: number, before: string): Around {
  const tree = treeOf(db);
  const around = prepared<[string, number, number], { name: string; startLine: number }>(
    db,
    `SELECT name, start_line AS startLine FROM live CROSS JOIN symbols USING (blob_id)
     WHERE live.path = ? AND start_line <= ? AND end_line >= ? AND kind NOT IN ('module', 'variable')
     ORDER BY end_line - start_line, ordinal DESC`,
  )
    .all(path, line, line)
    .flatMap(
      ({ name, startLine }) => tree.symbols(path, name).find((one) => one.startLine === startLine) ?? [],
    );
  const callable = around.find(isCallable) ?? headAbove(tree, path, line, before);
  const owner = around.find(isOwner) ?? (callable && ownerOf(tree, callable));
  return { callable, owner };
}

/** The type that a member belongs to; in Go and Rust it may stand in another file. */
export function ownerOf(tree: Tree, { path, container }: Located): Located | undefined {
  if (container === null) return undefined;
  const name = container.slice(container.lastIndexOf(".") + 1);
  const family = familyOf(path);
  return (
    tree.symbols(path, name).find(isOwner) ??
    (family === "go" || family === "rust"
      ? tree.named(name).find((one) => isOwner(one) && familyOf(one.path) === family)
      : undefined)
  );
}

export const isCallable = ({ kind }: Pick<Located, "kind">): boolean =>
  kind === "function" || kind === "method";
export const isOwner = ({ kind }: Pick<Located, "kind">): boolean =>
  /^(class|interface|enum|type)$/.test(kind);

const HEADS: Readonly<Record<Family, RegExp>> = {
  ecmascript:
    /\bfunction\s*\*?\s*([\w$]+)|^\s*(?:(?:public|private|protected|static|async|override|get|set)\s+)*\*?([\w$#]+)\s*(?:<[^>]*>)?\([^;]*\{\s*$|\b(?:const|let)\s+([\w$]+)\b[^=]*=.*=>/,
  python: /^\s*(?:async\s+)?def\s+(\w+)/,
  go: /^func\s+(?:\([^)]*\)\s*)?(\w+)/,
  rust: /\bfn\s+(\w+)/,
  java: /^\s*(?:[\w@<>[\],.?]+\s+)+(\w+)\s*\([^;]*\{\s*$/,
};
const MAX_LINES_UP = 200;
const NOT_A_NAME = /^(if|for|while|switch|catch|return|function|else|new|with)$/;

/** A name that the file is known to define, on a line that is indented less than the cursor's. */
function headAbove(tree: Tree, path: string, line: number, before: string): Located | undefined {
  const family = familyOf(path);
  if (!family || languageOf(path).embeds) return undefined;
  const lines = before.split("\n").slice(-MAX_LINES_UP).reverse();
  let indent = indentOf(lines[0] ?? "");
  for (const above of lines.slice(1)) {
    if (above.trim() === "" || indentOf(above) >= indent) continue;
    indent = indentOf(above);
    const name = HEADS[family].exec(above)?.slice(1).find(Boolean);
    if (name === undefined || NOT_A_NAME.test(name)) continue;
    const known = tree.symbols(path, name).filter(isCallable);
    return known.findLast(({ startLine }) => startLine <= line) ?? known[0];
  }
  return undefined;
}

const indentOf = (text: string): number => /^\s*/.exec(text)?.[0].length ?? 0;
