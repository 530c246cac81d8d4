/** What the index knows of a package: who defines a name, and which names a file uses. Gold is read off it. */

import { COMMON_WORDS } from "@dhi/core/identifiers";
import type { IndexDb } from "@dhi/core/index-db";
import { type Corpus, type CorpusFile, familyOf, type LanguageFamily } from "./corpus.ts";
import { groupBy } from "./group-by.ts";

export interface DefinitionSite {
  readonly name: string;
  readonly kind: string;
  /** `null` at the top level of its file. */
  readonly container: string | null;
  readonly path: string;
  /** 1-based and inclusive, with doc comment and decorators. */
  readonly startLine: number;
  readonly endLine: number;
  /** Of the line the name itself stands in. */
  readonly nameLine: number;
}

export interface Facts {
  /** In the whole package, of languages that go with `family`. */
  definitionsOf(name: string, family: LanguageFamily): readonly DefinitionSite[];
  /**
   * Names the file calls, names as a type or a base on the line (1-based), and whether one stands alone at least once:
   * behind nothing such as `invoice.`
   */
  usesOn(path: string, line: number): ReadonlyMap<string, { readonly alone: boolean }>;
  /** What the file imports by name. */
  importsOf(path: string): ReadonlySet<string>;
  /** Functions and methods of the file, in order. */
  functionsOf(path: string): readonly DefinitionSite[];
  /** Whether the name stands in another file of the package. */
  standsElsewhere(name: string, path: string): boolean;
}

/** A name with more definitions says little about which one is meant. */
const MOST_DEFINITIONS = 3;

export function readFacts(db: IndexDb, corpus: Corpus): Facts {
  const sites = db
    .prepare<[], Omit<DefinitionSite, "nameLine"> & { language: string }>(
      `SELECT name, kind, container, path, start_line AS startLine, end_line AS endLine, live.language
       FROM live CROSS JOIN symbols USING (blob_id) ORDER BY path, ordinal`,
    )
    .all()
    .flatMap(({ language, ...site }) => {
      const file = corpus.files.get(site.path);
      return file ? [withNameLine({ ...site, family: familyOf(language) }, file)] : [];
    });
  const byName = groupBy(sites, ({ family, name }) => `${family} ${name}`);
  const uses = new Map<string, Map<string, { alone: boolean }>>();
  for (const { key, name, alone } of db
    .prepare<[], { key: string; name: string; alone: 0 | 1 }>(USES)
    .all()) {
    const onLine = uses.get(key) ?? new Map<string, { alone: boolean }>();
    onLine.set(name, { alone: alone === 1 || onLine.get(name)?.alone === true });
    uses.set(key, onLine);
  }
  const imports = groupNames(
    db
      .prepare<[], { key: string; name: string }>(
        "SELECT path AS key, name FROM live CROSS JOIN imports USING (blob_id) WHERE specifier <> '' AND local = name",
      )
      .all(),
  );
  const functions = groupBy(
    sites.filter(({ kind }) => kind === "function" || kind === "method"),
    ({ path }) => path,
  );
  const holders = holdersOf(corpus);
  return {
    definitionsOf: (name, family) => byName.get(`${family} ${name}`) ?? [],
    usesOn: (path, line) => uses.get(`${path}:${line}`) ?? new Map(),
    importsOf: (path) => imports.get(path) ?? NONE,
    functionsOf: (path) => functions.get(path) ?? [],
    standsElsewhere(name, path) {
      const holder = holders.get(name);
      return holder !== undefined && (holder === SEVERAL || holder !== path);
    },
  };
}

/** What is called of JavaScript's own objects is not the package's. */
const USES = `
  SELECT path || ':' || line AS key, name, receiver IS NULL AS alone FROM live CROSS JOIN refs USING (blob_id)
  WHERE receiver IS NULL OR receiver NOT IN ('Array', 'Date', 'JSON', 'Math', 'Number', 'Object', 'Promise', 'Reflect',
    'String', 'console', 'document', 'window')`;

/**
 * @returns where the name leads when the file uses it on the line: definitions in other files, of a name with one to three
 *   definitions in the package and none in this file; empty for any other name
 */
export function goldOf(
  facts: Facts,
  name: string,
  file: CorpusFile,
  line: number,
): readonly DefinitionSite[] {
  const use = facts.usesOn(file.path, line).get(name);
  const imported = facts.importsOf(file.path).has(name);
  if (!(use || imported) || name.length < 3 || COMMON_WORDS.has(name.toLowerCase()) || BUILT_IN.has(name))
    return [];
  const sites = facts.definitionsOf(name, file.family);
  if (sites.length > MOST_DEFINITIONS || sites.some(({ path }) => path === file.path)) return [];
  // What stands alone is a parameter or a local name rather than some class's member; Java leaves out its `this`.
  const canBeMember = (use && !use.alone) || file.family === "java";
  return canBeMember ? sites : sites.filter(({ container }) => container === null);
}

const NONE: ReadonlySet<string> = new Set();
const SEVERAL = "";

/** Methods that the values of every standard library have: a call of one hardly ever means the package's own. */
const BUILT_IN: ReadonlySet<string> = new Set(
  `append apply arguments bind build call charCodeAt clear clone close collect concat contains copy count create delete endsWith entries
  entry equals every exec extend fill filter find findIndex flatMap flush forEach format get getName hasNext index
  indexOf insert into invoke isEmpty items iter join keys last len length lower main next open parse pop print push put
  query read reduce remove render replace reset resolve reverse run search set setdefault shift size slice some sort
  splice split start startswith stop stopPropagation strip substring sum test then toString trim unwrap update upper valueOf values
  write`
    .trim()
    .split(/\s+/),
);

/** Looked for when it is asked for: of most definitions nobody ever asks. */
function withNameLine<T extends Omit<DefinitionSite, "nameLine">>(site: T, file: CorpusFile) {
  let found: number | undefined;
  return {
    ...site,
    get nameLine(): number {
      found ??= nameLineOf(site, file);
      return found;
    },
  };
}

function nameLineOf(
  { name, startLine, endLine }: Omit<DefinitionSite, "nameLine">,
  { lines }: CorpusFile,
): number {
  // TypeScript's `declare module "*.svelte"` defines a name that is no identifier.
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${literal}(?![\\p{L}\\p{N}_$])`, "u");
  for (let line = startLine; line <= endLine; line++) {
    const text = lines[line - 1] ?? "";
    if (word.test(text) && !/^\s*(\*|\/[/*]|#|@)/.test(text)) return line;
  }
  return startLine;
}

function groupNames(rows: readonly { key: string; name: string }[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { key, name } of rows) groups.set(key, (groups.get(key) ?? new Set()).add(name));
  return groups;
}

/** @returns the one file a name stands in, or {@link SEVERAL} */
function holdersOf(corpus: Corpus): Map<string, string> {
  const holders = new Map<string, string>();
  for (const { path, text } of corpus.files.values())
    for (const name of text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []) {
      const known = holders.get(name);
      if (known === undefined) holders.set(name, path);
      else if (known !== path) holders.set(name, SEVERAL);
    }
  return holders;
}
