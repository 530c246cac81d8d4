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
  readonly names: readonly string[];
  /** `undefined` where that is too much to compare: then no answer about the file holds. */
  readonly now: FileNow | undefined;
}

/** Of all files together, some 5 µs each: to compare more would take longer than to read anew what is asked. */
const MAX_SYMBOLS = 2_000;

/** Of files that are not compared, 1 µs each: so many hold up a keystroke for long enough. */
const MAX_NAMES = 20_000;

/** @returns `undefined` for files with so many names that everything is better read anew */
export function filesNow(db: IndexDb, paths: readonly string[]): ChangedFile[] | undefined {
  const files: ChangedFile[] = [];
  let symbolsLeft = MAX_SYMBOLS;
  let namesLeft = MAX_NAMES;
  for (const path of paths) {
    const exists = isLive(db, path);
    const now = symbolsLeft > 0 ? fileNow(db, path, exists, symbolsLeft) : undefined;
    const names = now ? [...now.named.keys()] : namesIn(db, path);
    symbolsLeft = now ? symbolsLeft - now.symbols.length : 0;
    namesLeft -= now ? 0 : names.length;
    if (namesLeft < 0) return undefined;
    files.push({ path, exists, names, now });
  }
  return files;
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
