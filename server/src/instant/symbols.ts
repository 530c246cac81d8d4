/**
 * What definitions say of the names that may come next: what stands before a dot has members, a module has exports, a call
 * wants arguments. Asked of `index.db`, which has read the repository and what editors show unsaved.
 */
import { posix } from "node:path";
import type { IndexDb } from "@dhi/core/index-db";
import { enclosing } from "../graph/enclosing.ts";
import { moduleOf } from "../graph/exports.ts";
import { definedMembers } from "../graph/guess-members.ts";
import { membersAt, signatureOf } from "../graph/members.ts";
import { receiverMembers } from "../graph/receiver-members.ts";
import { targetsOf } from "../graph/reference.ts";
import { type Family, familyOf } from "../graph/resolve/languages.ts";
import { type Located, qualified, treeOf } from "../graph/tree.ts";
import { dataVersion } from "../index-changes.ts";
import { receiverBefore } from "../retrieval/names/cursor.ts";
import { type CallAround, callAround, parametersOf } from "./call-around.ts";

/** What is known at one cursor. `left` is its line up to where a name begins. */
export interface Symbols {
  /** @returns names of what stands before the dot that `left` ends in, or of the module that it imports from; empty when unknown */
  membersAfter(left: string): readonly string[];
  /** @returns the call whose arguments `left` is in; `undefined` for none, and when it is not known what is called */
  callAround(left: string): KnownCall | undefined;
}

export interface KnownCall extends Omit<CallAround, "callee"> {
  /** Their names, in order; `""` for a pattern. */
  readonly parameters: readonly string[];
}

export const NO_SYMBOLS: Symbols = { membersAfter: () => [], callAround: () => undefined };

/** Characters above the cursor in which the head of what it stands in is looked for. */
const MAX_ABOVE = 16 * 1024;
/** More names are no help in choosing one. */
const MAX_MEMBERS = 400;
const PYTHON_FROM = /^\s*from\s+([\w.]+)\s+import\s+\(?[\w\s,]*$/;
const ITSELF = /^(this|self|cls|super)(\(\))?$/;

/** Keeps what was found for the line that is being typed, until the index changes. */
export function createSymbols(): typeof symbolsAt {
  let last: { db: IndexDb; version: unknown; path: string; head: string; symbols: Symbols } | undefined;
  return (db, { path, prefix }) => {
    const version = attempt(() => dataVersion(db), undefined);
    if (version === undefined) return NO_SYMBOLS;
    const lineStart = prefix.lastIndexOf("\n") + 1;
    const indent = /^\s*/.exec(prefix.slice(lineStart))?.[0].length ?? 0;
    const head = prefix.slice(0, lineStart + indent);
    const isSame = last?.db === db && last.version === version && last.path === path && last.head === head;
    if (!last || !isSame) last = { db, version, path, head, symbols: symbolsAt(db, { path, prefix }) };
    return last.symbols;
  };
}

/**
 * @param prefix of the text, up to the cursor
 * @returns answers that are found when they are asked for, each once
 */
export function symbolsAt(
  db: IndexDb,
  { path, prefix }: { readonly path: string; readonly prefix: string },
): Symbols {
  const family = familyOf(path);
  if (!family) return NO_SYMBOLS;
  const place = once(() => placeOf(db, family, path, prefix));
  const members = onceFor((receiver: string) => membersOf(place(), receiver).slice(0, MAX_MEMBERS), []);
  const exported = onceFor((specifier: string) => exportsOf(place(), specifier).slice(0, MAX_MEMBERS), []);
  const parameters = onceFor((callee: string) => parametersAt(place(), callee), undefined);
  return {
    membersAfter(left) {
      const receiver = receiverBefore(left);
      if (receiver !== null) return members(receiver);
      const specifier = family === "python" ? PYTHON_FROM.exec(left)?.[1] : undefined;
      return specifier === undefined ? [] : exported(specifier);
    },
    callAround(left) {
      const call = callAround(left);
      const known = call && parameters(`${call.callee.receiver ?? ""} ${call.callee.name}`);
      return known && { argument: call.argument, isAtStart: call.isAtStart, parameters: known };
    },
  };
}

interface Place {
  readonly db: IndexDb;
  readonly family: Family;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** See `SymbolReference.enclosing`. */
  readonly enclosing: string | null;
  readonly owner: Located | undefined;
}

function placeOf(db: IndexDb, family: Family, path: string, prefix: string): Place {
  let line = 1;
  for (let at = prefix.indexOf("\n"); at >= 0; at = prefix.indexOf("\n", at + 1)) line++;
  const { callable, owner } = enclosing(db, path, line, prefix.slice(-MAX_ABOVE));
  return { db, family, path, line, owner, enclosing: callable ? qualified(callable) : null };
}

function membersOf({ db, path, line, owner, enclosing }: Place, receiver: string): string[] {
  const found = receiverMembers(db, { path, receiver, line, enclosing });
  if (found.length > 0) return namesOf(found);
  if (ITSELF.test(receiver) && owner) return namesOf(definedMembers(treeOf(db), owner));
  return membersAt(db, { path, expression: receiver, line }).members.map(({ name }) => name);
}

function exportsOf({ db, family, path, line }: Place, specifier: string): string[] {
  const tree = treeOf(db);
  const module = moduleOf(tree, family, path, { specifier, line });
  if (!module) return [];
  const defined = module.files.flatMap((file) => tree.inside(file, module.owner ?? null));
  const { files, folders } = module.folder === undefined ? NO_ENTRIES : tree.entries(module.folder);
  const modules = [...files, ...folders].map((entry) => posix.basename(entry).replace(/\.pyi?$/, ""));
  return [
    ...namesOf(defined.filter(({ exported }) => exported)),
    ...modules.filter((name) => /^[a-z]\w*$/i.test(name)),
  ];
}

const NO_ENTRIES = { files: [], folders: [] };

/** @param callee its receiver, a space, its name */
function parametersAt({ db, path, line, enclosing }: Place, callee: string): string[] | undefined {
  const [receiver = "", name = ""] = callee.split(" ");
  const use = { path, name, receiver: receiver === "" ? null : receiver, line, enclosing };
  const found = targetsOf(treeOf(db), use).find(({ confidence }) => confidence !== "name")?.definition;
  if (found?.kind === "class") return parametersToMake(db, found);
  const signature = found?.signature ?? (receiver === "" ? signatureOf(db, { path, name }) : undefined);
  return signature?.includes("(") ? parametersOf(signature, name) : undefined;
}

function parametersToMake(db: IndexDb, owner: Located): string[] | undefined {
  const isMaker = ({ name }: Located) => name === "__init__" || name === "constructor" || name === owner.name;
  const maker = treeOf(db).inside(owner.path, qualified(owner)).find(isMaker);
  return maker && parametersOf(maker.signature, maker.name);
}

const namesOf = (definitions: readonly Located[]): string[] => [
  ...new Set(definitions.map(({ name }) => name)),
];

function once<T extends object>(ask: () => T): () => T {
  let answer: T | undefined;
  return () => (answer ??= ask());
}

/** @param otherwise the answer when asking fails, as when the index is busy or was closed; it is asked again then */
function onceFor<T>(ask: (key: string) => T, otherwise: T): (key: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  return (key) => {
    const known = answers.get(key) ?? attempt(() => ({ answer: ask(key) }), undefined);
    if (known) answers.set(key, known);
    return known ? known.answer : otherwise;
  };
}

function attempt<T, U>(ask: () => T, otherwise: U): T | U {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}
