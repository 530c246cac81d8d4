/** Names that the file imports, above all those that it does not use yet: someone imported them for a reason. */

import type { ImportedName } from "@dhi/core/chunk";
import { binds } from "../../graph/scope.ts";
import type { Clues } from "./clues.ts";
import type { Cursor } from "./cursor.ts";

/** After the names that the file uses. */
export function addImported(clues: Clues, cursor: Cursor): void {
  const { tree, family, path, line } = cursor;
  const imports = tree.imports(path).filter((one) => isName(one) && binds(family, one));
  if (!imports.length) return;
  const words = wordCounts(cursor);
  const firstLine = line - cursor.above.length + 1;
  for (const { local, line: importLine } of imports) {
    const isUsed = clues.has(local) || (words.get(local) ?? 0) > (importLine >= firstLine ? 1 : 0);
    const clue = clues.of(local);
    clue.uses.unshift({ path, name: local, receiver: null, line, enclosing: null });
    clue.signals.imported = 1;
    clue.signals.unused = isUsed ? 0 : 1;
  }
}

/** Whole modules are not completed by their name but by what comes after a dot. */
const isName = ({ specifier, name, local }: ImportedName): boolean =>
  specifier !== "" && local !== "" && name !== "" && name !== "*";

function wordCounts({ above, below }: Cursor): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const lines of [above, below])
    for (const line of lines) for (const word of line) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
