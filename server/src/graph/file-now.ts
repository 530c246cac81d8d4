/** A file as it is by now, to tell which of the answers about it still hold. */
import type { ImportedName } from "@dhi/core/chunk";
import type { IndexDb } from "@dhi/core/index-db";
import type { Located } from "./tree.ts";
import { type BaseRow, basesOf, importsOf, isLive, symbolsOf } from "./tree-rows.ts";

export interface FileNow {
  readonly path: string;
  readonly exists: boolean;
  /** In the order of the text. */
  readonly symbols: readonly Located[];
  readonly named: ReadonlyMap<string, readonly Located[]>;
  imports(): readonly ImportedName[];
  bases(): readonly BaseRow[];
}

/** Of all files together, some 5 µs each: to compare more would take longer than to read anew what is asked. */
const MAX_SYMBOLS = 2_000;

/** @returns `undefined` for files that together define more than can be compared */
export function filesNow(db: IndexDb, paths: readonly string[]): FileNow[] | undefined {
  const files: FileNow[] = [];
  let left = MAX_SYMBOLS;
  for (const path of paths) {
    const now = fileNow(db, path, left);
    if (!now) return undefined;
    files.push(now);
    left -= now.symbols.length;
  }
  return files;
}

function fileNow(db: IndexDb, path: string, most: number): FileNow | undefined {
  const symbols = symbolsOf(db, path, most + 1);
  if (symbols.length > most) return undefined;
  const named = new Map<string, Located[]>();
  for (const symbol of symbols) {
    const namesakes = named.get(symbol.name);
    if (namesakes) namesakes.push(symbol);
    else named.set(symbol.name, [symbol]);
  }
  return {
    ...{ path, exists: isLive(db, path), symbols, named },
    imports: () => importsOf(db, path),
    bases: () => basesOf(db, path),
  };
}
