/**
 * The live tree as the graph asks about it: single rows by key, never a scan, and each answer kept while it holds (see
 * facts.ts). So the first question about a file costs some microseconds, at 100,000 files as at ten.
 */
import { isDeepStrictEqual } from "node:util";
import type { ImportedName, SymbolDefinition } from "@dhi/core/chunk";
import type { IndexDb } from "@dhi/core/index-db";
import { changedSince, dataVersion, lastChange } from "../index-changes.ts";
import { createFacts, type Facts } from "./facts.ts";
import { type FileNow, filesNow } from "./file-now.ts";
import {
  basesOf,
  byName,
  definitionsNamed,
  entriesOf,
  importsOf,
  isFolder,
  isLive,
  modulesOf,
  namesOfNothing,
  symbolsInside,
  symbolsNamed,
  symbolsNamedAny,
  textOf,
} from "./tree-rows.ts";

/** A definition and its file. */
export interface Located extends SymbolDefinition {
  readonly path: string;
}

/** As `SymbolReference.enclosing` and `container` name it: `Invoice.total`. */
export const qualified = ({ container, name }: Pick<Located, "container" | "name">): string =>
  container === null ? name : `${container}.${name}`;

export interface Entries {
  /** Full paths. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

export interface Tree extends Pick<Facts<FileNow>, "once" | "peek" | "untilChange"> {
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /** @returns `""` for what is not in the tree */
  text(path: string): string;
  imports(path: string): readonly ImportedName[];
  /** What a file defines under a name, at any depth. */
  symbols(path: string, name: string): readonly Located[];
  /** Reads in two queries what the file defines under each of the names, and which of them nothing is called. */
  expect(path: string, names: readonly string[]): void;
  /** What stands directly inside a definition of a file, by `Container.Name`; `null`: at its top level. At most {@link MAX_ENTRIES}. */
  inside(path: string, container: string | null): readonly Located[];
  /** What the whole tree defines under a name, in no order. @param limit default {@link MAX_NAMESAKES} */
  named(name: string, limit?: number): readonly Located[];
  /** Base classes, interfaces and traits that a definition of a file names, by `Container.Name`. */
  bases(path: string, definition: string): readonly BaseName[];
  /** The modules and namespaces that a file defines inside itself. */
  modulesIn(path: string): readonly Located[];
  /** What lies in a folder; `""` is the root. At most {@link MAX_ENTRIES} of it. */
  entries(folder: string): Entries;
  /** What else is read of a file's content: kept until that is another one. @param key with the path */
  ofFile<T extends object | string>(path: string, key: string, read: () => T): T;
}

export interface BaseName {
  readonly name: string;
  readonly receiver: string | null;
  readonly line: number;
}

/** A name with more definitions says little, and reading them all would take long. */
export const MAX_NAMESAKES = 64;
export const MAX_ENTRIES = 1_000;

/** Answers kept; a whole workspace's worth is some 100 MB, so they are dropped now and then. */
const MAX_KEPT = 50_000;

/** After a commit of more paths, such as a checkout, everything is read anew: of each it takes some 30 µs to tell what holds. */
const MAX_CHANGED = 1_000;

interface Kept {
  readonly tree: Tree;
  readonly facts: Facts<FileNow>;
  version: unknown;
  /** See `lastChange`. */
  seq: number;
}

const trees = new WeakMap<IndexDb, Kept>();

/** The tree as it is now. */
export function treeOf(db: IndexDb): Tree {
  const version = dataVersion(db);
  const known = trees.get(db);
  if (known && known.version === version) return known.tree;
  const seq = lastChange(db);
  if (known) {
    dropChanged(db, known);
    known.version = version;
    known.seq = seq;
    return known.tree;
  }
  const facts = createFacts<FileNow>(MAX_KEPT);
  const tree = createTree(db, facts);
  trees.set(db, { tree, facts, version, seq });
  return tree;
}

function dropChanged(db: IndexDb, { facts, seq }: Kept): void {
  const changed = changedSince(db, seq);
  const files = changed && changed.length <= MAX_CHANGED ? filesNow(db, changed) : undefined;
  if (!files) facts.clear();
  for (const { path, exists, names, now } of files ?? []) facts.changed(path, now, names, exists);
}

/** Fewer names are read one by one. */
const WORTH_A_QUERY = 4;

const symbolsKey = (path: string, name: string): string => `symbols ${name} ${path}`;
const namedKey = (name: string, limit: number): string => `named ${limit} ${name}`;

function createTree(
  db: IndexDb,
  { once, peek, untilChange, ofFile, ofFolder, ofName }: Facts<FileNow>,
): Tree {
  const symbols = (path: string, name: string, read = () => symbolsNamed(db, path, name)) =>
    ofFile(path, symbolsKey(path, name), read, (known, now) =>
      isDeepStrictEqual(known, now.named.get(name) ?? []),
    );
  const named = (name: string, limit: number, read = () => definitionsNamed(db, name, limit)) =>
    ofName(
      name,
      namedKey(name, limit),
      read,
      (known) => known.map(({ path }) => path),
      (known, path, now) => {
        const before = known.filter((one) => one.path === path);
        const after = now.named.get(name) ?? [];
        // Of a common name, some are as good as others.
        if (before.length === 0) return after.length === 0 || known.length >= limit;
        // What was written last comes last.
        const isLast = known.at(-before.length)?.path === path;
        return isLast && isDeepStrictEqual(before, after);
      },
    );

  return {
    ...{ once, peek, untilChange },
    ofFile: (path, key, read) => ofFile(path, key, read),
    has: (path) =>
      ofFile(
        path,
        `has ${path}`,
        () => ({ found: isLive(db, path) }),
        ({ found }, now) => found === now.exists,
      ).found,
    hasFolder: (path) =>
      ofFolder(
        path,
        `folder ${path}`,
        () => ({ found: isFolder(db, path) }),
        ({ found }, _, exists) => found === exists,
      ).found,
    text: (path) => ofFile(path, `text ${path}`, () => textOf(db, path)),
    imports: (path) =>
      ofFile(
        path,
        `imports ${path}`,
        () => importsOf(db, path),
        (imports, now) => isDeepStrictEqual(imports, now.imports()),
      ),
    symbols: (path, name) => symbols(path, name),
    expect(path, names) {
      const unread = names.filter((name) => !peek(symbolsKey(path, name)));
      if (unread.length < WORTH_A_QUERY) return;
      const found = byName(symbolsNamedAny(db, path, unread));
      for (const name of unread) symbols(path, name, () => found.get(name) ?? []);
      const unknown = unread.filter((name) => !peek(namedKey(name, MAX_NAMESAKES)));
      for (const name of namesOfNothing(db, unknown)) named(name, MAX_NAMESAKES, () => []);
    },
    inside: (path, container) =>
      ofFile(
        path,
        `inside ${container} ${path}`,
        () => symbolsInside(db, path, container, MAX_ENTRIES),
        (symbols, now) => {
          const inside = now.symbols.filter((one) => one.container === container);
          return isDeepStrictEqual(symbols, inside.slice(0, MAX_ENTRIES));
        },
      ),
    named(name, limit = MAX_NAMESAKES) {
      // All there are, whatever the limit.
      const all = peek<readonly Located[]>(namedKey(name, MAX_NAMESAKES));
      return all && all.length < Math.min(limit, MAX_NAMESAKES) ? all : named(name, limit);
    },
    bases: (path, definition) =>
      ofFile(
        path,
        `bases ${path}`,
        () => basesOf(db, path),
        (bases, now) => isDeepStrictEqual(bases, now.bases()),
      ).filter((base) => base.enclosing === definition),
    modulesIn: (path) =>
      ofFile(
        path,
        `modules ${path}`,
        () => modulesOf(db, path),
        (modules, now) => {
          const inside = now.symbols.filter(({ kind }) => kind === "module");
          return isDeepStrictEqual(modules, inside);
        },
      ),
    entries: (folder) =>
      ofFolder(
        folder,
        `entries ${folder}`,
        () => entriesOf(db, folder, MAX_ENTRIES),
        ({ files, folders }, child, exists) => (files.includes(child) || folders.includes(child)) === exists,
      ),
  };
}
