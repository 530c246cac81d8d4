/** A file as it is by now, to tell which of the answers about it still hold. */
import type { ImportedName } from "@dhi/core/chunk";
import type { IndexDb } from "@dhi/core/index-db";
import type { Located } from "./tree.ts";
import { type BaseRow, basesOf, byName, importsOf, isLive, namesIn, symbolsOf } from "./tree-rows.ts";

export interface FileNow {
  readonly exists: boolean;
  /** In the order of the text. */
  readonly symbols: readonly Located[];
  readonly named: ReadonlyMap<string, readonly Located[]>;
  imports(): readonly ImportedName[];
  bases(): readonly BaseRow[];
}

export interface ChangedFile {
  readonly path: string;
  readonly exists: boolean;
  /** That it defines by now, once each. */
  readonly names: Iterable<string>;
  /** `undefined` where that is too much to compare: then no answer about the file holds. */
  readonly now: FileNow | undefined;
}

/** Of all files together, some 5 µs each: to compare more would take longer than to read anew what is asked. */
const MAX_SYMBOLS = 2_000;

export function filesNow(db: IndexDb, paths: readonly string[]): ChangedFile[] {
  let left = MAX_SYMBOLS;
  return paths.map((path) => {
    const exists = isLive(db, path);
    const now = left > 0 ? fileNow(db, path, exists, left) : undefined;
    left = now ? left - now.symbols.length : 0;
    return { path, exists, names: now?.named.keys() ?? namesIn(db, path), now };
  });
}

/** @returns `undefined` for a file that defines more names than `most` */
function fileNow(db: IndexDb, path: string, exists: boolean, most: number): FileNow | undefined {
  const symbols = symbolsOf(db, path, most + 1);
  if (symbols.length > most) return undefined;
  return {
    ...{ exists, symbols, named: byName(symbols) },
    imports: () => importsOf(db, path),
    bases: () => basesOf(db, path),
  };
}
