/**
 * Which definitions of other files the next tokens will need: names are gathered from the file, its imports, the receiver and
 * the repository's habits, the likely ones are resolved to what they mean here, and what speaks for each is weighed.
 */
import { subWordsOf } from "@dhi/core/identifiers";
import type { IndexDb } from "@dhi/core/index-db";
import { targetsOf } from "../../graph/reference.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { folderOf } from "../../graph/resolve/paths.ts";
import type { Confidence } from "../../graph/scope.ts";
import type { Search } from "../../graph/search-steps.ts";
import { type Located, qualified } from "../../graph/tree.ts";
import { namesStartingWith } from "../chunk-rows.ts";
import { MIN_PARTIAL, type RetrievalQuery } from "../query.ts";
import { type Clue, type Clues, createClues } from "./clues.ts";
import { type Cursor, cursorOf, MIN_WORD } from "./cursor.ts";
import { addFollowers } from "./followers.ts";
import { addImported } from "./imported.ts";
import { addMembers } from "./members.ts";
import { pathDistance } from "./path-distance.ts";
import { addNearby, addUsedHere } from "./used-here.ts";

export interface LikelyDefinition {
  readonly definition: Located;
  /** Log-odds up to a constant; comparable within one answer. */
  readonly score: number;
}

/**
 * Fitted on the development set of `npm run eval` (rxjs, SQLAlchemy, gin, effect): a softmax over the candidates of each
 * cursor, against those that the true continuation uses.
 */
const WEIGHTS = {
  below: 0.83,
  inLine: 0.12,
  inFile: 0.37,
  imported: 2,
  unused: 1.85,
  follows: 1.54,
  followsLast: 1.3,
  ofReceiver: 1.1,
  notOfReceiver: -1.46,
  ofModule: 0.44,
  words: 1.31,
  starts: 0.95,
  startsOtherwise: -1.37,
  methodWithoutReceiver: -0.42,
  exact: 0.23,
  throughImport: 1.11,
  byName: -0.71,
  isFunction: 1.38,
  isMethod: 0.86,
  isType: 0.14,
};
type Features = Readonly<Record<keyof typeof WEIGHTS, number>>;

/**
 * Names that are resolved, the likeliest by themselves first: each takes some 50 µs at a new place. 80 found no more on the
 * development packages (recall@5 of 73 cursors; 32: one more).
 */
const MAX_RESOLVED = 40;
/** Definitions of one name that are kept, the nearest. */
const MAX_PLACES = 3;
/** A name defined in more places (`get`, `main`) that nothing brings into scope says nothing about which one is meant. */
const MAX_NAMESAKES = 12;
const MAX_BEGUN = 16;

/** @returns likeliest first; empty for a language without a graph, and when its time is up */
export function* likelyDefinitions(
  db: IndexDb,
  query: RetrievalQuery,
  limit: number,
): Search<LikelyDefinition[]> {
  const cursor = cursorOf(db, query);
  if (!cursor) return [];
  const clues = createClues();
  for (const add of [addUsedHere, addImported, addFollowers, addMembers, addBegun, addNearby]) {
    add(clues, cursor);
    if (yield) return [];
  }

  const likely = clues
    .all()
    .map((clue) => ({ clue, ofName: weigh(nameFeatures(clue, cursor)) }))
    .sort((a, b) => b.ofName - a.ofName)
    .slice(0, MAX_RESOLVED);
  cursor.tree.expect(
    cursor.path,
    likely.map(({ clue }) => clue.name),
  );
  const found = new Map<string, LikelyDefinition>();
  for (const { clue, ofName } of likely) {
    for (const { definition, confidence } of placesOf(clue, cursor)) {
      // Overloads are one definition.
      const key = `${definition.path} ${qualified(definition)}`;
      if (!found.has(key))
        found.set(key, { definition, score: ofName + weigh(placeFeatures(definition, confidence, cursor)) });
    }
    if (yield) return [];
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

function addBegun(clues: Clues, { db, tree, family, path, partial, receiver, line }: Cursor): void {
  if (partial.length < MIN_PARTIAL) return;
  for (const { name, path: place } of tree.untilChange(`begun ${partial}`, () =>
    namesStartingWith(db, partial, MAX_BEGUN),
  ))
    if (place !== path && familyOf(place) === family)
      clues.addUse(name, { path, name, receiver, line, enclosing: null });
}

type NameFeatures = Omit<Features, keyof PlaceFeatures>;

function nameFeatures({ name, signals: s }: Clue, { partial, receiver, words }: Cursor): NameFeatures {
  const isBegun = partial !== "" && name.startsWith(partial);
  return {
    below: Math.log1p(s.below),
    inLine: s.inLine,
    inFile: Math.log1p(s.inFile),
    imported: s.imported,
    unused: s.unused,
    follows: Math.sqrt(s.follows),
    followsLast: Math.sqrt(s.followsLast),
    ofReceiver: receiver === null ? 0 : s.ofReceiver,
    notOfReceiver: receiver !== null && s.ofReceiver === 0 ? 1 : 0,
    ofModule: s.ofModule,
    words: wordsShared(name, words),
    starts: isBegun ? Math.min(MAX_STARTS, partial.length) : 0,
    startsOtherwise: partial !== "" && !isBegun ? 1 : 0,
  };
}

/** The share of a name's words that stand near the cursor: who calls `addObserver` calls `removeObserver` too. */
function wordsShared(name: string, near: ReadonlySet<string>): number {
  const own = subWordsOf(name).filter((word) => word.length >= MIN_WORD);
  return own.length ? own.filter((word) => near.has(word)).length / own.length : 0;
}

/** Letters of an unfinished name; after these more of them do not make it surer. */
const MAX_STARTS = 4;

type PlaceFeatures = Pick<
  Features,
  "methodWithoutReceiver" | "isFunction" | "isMethod" | "isType" | "exact" | "throughImport" | "byName"
>;

function placeFeatures({ kind }: Located, confidence: Confidence, { receiver }: Cursor): PlaceFeatures {
  const isType = /^(class|interface|type|enum)$/.test(kind);
  return {
    methodWithoutReceiver: receiver === null && kind === "method" ? 1 : 0,
    exact: confidence === "exact" ? 1 : 0,
    throughImport: confidence === "imported" ? 1 : 0,
    byName: confidence === "name" ? 1 : 0,
    isFunction: kind === "function" ? 1 : 0,
    isMethod: kind === "method" ? 1 : 0,
    isType: isType ? 1 : 0,
  };
}

const NAMES = Object.keys(WEIGHTS) as readonly (keyof Features)[];

function weigh(features: Partial<Features>): number {
  let sum = 0;
  for (const name of NAMES) sum += WEIGHTS[name] * (features[name] ?? 0);
  return sum;
}

interface Place {
  readonly definition: Located;
  readonly confidence: Confidence;
}

/** Definitions in other files; none for a name that is known to be this file's own. */
function placesOf(clue: Clue, cursor: Cursor): Place[] {
  const { family, path } = cursor;
  const places = meaningOf(clue, cursor);
  const isSure = places.some(({ confidence }) => confidence !== "name");
  if (isSure && !clue.definitions.length && places.some(({ definition }) => definition.path === path))
    return [];
  const elsewhere = places.filter(
    ({ definition }) => definition.path !== path && familyOf(definition.path) === family,
  );
  if (elsewhere.length <= 1) return elsewhere;
  return elsewhere
    .map((place) => ({
      place,
      steps: stepsTo(place.definition, cursor) - Number(place.definition.exported) / 2,
    }))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, MAX_PLACES)
    .map(({ place }) => place);
}

/** By what is in scope here; else of a rare name all that are called so, and of others what a use elsewhere means. */
function meaningOf({ name, uses, definitions }: Clue, cursor: Cursor): readonly Place[] {
  const { tree, family, path } = cursor;
  if (definitions.length) return definitions.map((definition) => ({ definition, confidence: "imported" }));
  for (const use of uses) {
    if (use.path !== path || !isReadable(use.receiver, cursor)) continue;
    const found = targetsOf(tree, use);
    if (found.some(({ confidence }) => confidence !== "name")) return found;
  }
  const named = tree.named(name, MAX_NAMESAKES + 1).filter((one) => familyOf(one.path) === family);
  if (named.length > MAX_PLACES) {
    const elsewhere = uses.find((use) => use.path !== path && use.receiver === null);
    const found = elsewhere ? targetsOf(tree, elsewhere) : [];
    if (found.some(({ confidence }) => confidence !== "name")) return found;
  }
  return named.length <= MAX_NAMESAKES ? named.map((definition) => ({ definition, confidence: "name" })) : [];
}

/** Whether a receiver is a module, a class or the object itself: the types of variables take longer to find out. */
function isReadable(receiver: string | null, { tree, path }: Cursor): boolean {
  if (receiver === null || /^(this|self|cls|super|Self)(\(\))?$/.test(receiver)) return true;
  const first = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(receiver)?.[0];
  return (
    first !== undefined &&
    (tree.imports(path).some(({ local }) => local === first || local.startsWith(`${first}.`)) ||
      tree.symbols(path, first).length > 0)
  );
}

const stepsTo = (definition: Located, { path }: Cursor) =>
  pathDistance(folderOf(path), folderOf(definition.path));
