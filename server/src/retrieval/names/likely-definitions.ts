/**
 * Which definitions of other files the next tokens will need: names are gathered from the file, its imports, the receiver and
 * the repository's habits, the likely ones are resolved to what they mean here, and what speaks for each is weighed.
 */
import type { IndexDb } from "@dhi/core/index-db";
import { enclosing } from "../../graph/enclosing.ts";
import { receiverMembers } from "../../graph/receiver-members.ts";
import { targetsOf } from "../../graph/reference.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { folderOf } from "../../graph/resolve/paths.ts";
import type { Confidence } from "../../graph/scope.ts";
import { definitionsNamed, type Located, qualified } from "../../graph/tree.ts";
import { namesStartingWith } from "../chunk-rows.ts";
import { MIN_PARTIAL, type RetrievalQuery } from "../query.ts";
import { type Clue, type Clues, createClues } from "./clues.ts";
import { type Cursor, cursorOf } from "./cursor.ts";
import { addFollowers } from "./followers.ts";
import { addImported } from "./imported.ts";
import { pathDistance } from "./path-distance.ts";
import { addNearby, addUsedHere } from "./used-here.ts";

export interface LikelyDefinition {
  readonly definition: Located;
  /** Log-odds up to a constant; comparable within one answer. */
  readonly score: number;
  readonly features: Features;
}

/**
 * Fitted on the development set of `npm run eval` (rxjs, SQLAlchemy, gin, effect): a softmax over the candidates of each
 * cursor, against those that the true continuation uses.
 */
const WEIGHTS = {
  near: 0.9,
  below: 0.83,
  above: 0.35,
  inLine: -1.91,
  inFile: 0.58,
  imported: 2,
  unused: 3.45,
  follows: 0.61,
  followsLast: 1.68,
  ofReceiver: 0.65,
  notOfReceiver: -0.54,
  ofModule: 2.3,
  methodWithoutReceiver: -0.38,
  starts: 1.11,
  startsOtherwise: -1.5,
  exact: 0.75,
  throughImport: 1.59,
  byName: -1.31,
  steps: -0.5,
  isFunction: 0.71,
  isMethod: -0.15,
  isType: 0.15,
  wantedType: 0.29,
};
export type Features = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** Names that are resolved, the likeliest by themselves first: each takes some 30 µs where the index has just changed. */
const MAX_RESOLVED = 48;
/** Definitions of one name that are kept, the nearest. */
const MAX_PLACES = 3;
/** A name defined in more places (`get`, `main`) that nothing brings into scope says nothing about which one is meant. */
const MAX_NAMESAKES = 12;
const MAX_BEGUN = 16;

/** @returns likeliest first; empty for a language without a graph */
export function likelyDefinitions(db: IndexDb, query: RetrievalQuery, limit: number): LikelyDefinition[] {
  const cursor = cursorOf(db, query);
  if (!cursor) return [];
  const clues = createClues();
  addUsedHere(clues, cursor);
  addImported(clues, cursor);
  addFollowers(clues, cursor);
  addMembers(clues, cursor, query.before);
  addBegun(clues, cursor);
  addNearby(clues, cursor);

  const likely = clues
    .all()
    .map((clue) => ({ clue, ofName: nameFeatures(clue, cursor) }))
    .map(({ clue, ofName }) => ({ clue, ofName, nameScore: weigh(ofName) }))
    .sort((a, b) => b.nameScore - a.nameScore)
    .slice(0, MAX_RESOLVED);
  const found = new Map<string, LikelyDefinition>();
  for (const { clue, ofName, nameScore } of likely) {
    for (const { definition, confidence } of placesOf(clue, cursor)) {
      const ofPlace = placeFeatures(definition, confidence, cursor);
      const key = `${definition.path} ${definition.startLine} ${qualified(definition)}`;
      if (!found.has(key))
        found.set(key, {
          definition,
          score: nameScore + weigh(ofPlace),
          features: { ...ofName, ...ofPlace },
        });
    }
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

function addMembers(clues: Clues, cursor: Cursor, before: string): void {
  const { db, path, line, receiver } = cursor;
  if (receiver === null) return;
  const { callable } = enclosing(db, path, line, before);
  for (const member of receiverMembers(db, {
    ...{ path, receiver, line },
    enclosing: callable ? qualified(callable) : null,
  })) {
    const { definitions, signals } = clues.of(member.name);
    definitions.push(member);
    signals.ofReceiver = 1;
    if (member.container === null) signals.ofModule = 1;
  }
}

function addBegun(clues: Clues, { db, family, path, partial, receiver, line }: Cursor): void {
  if (partial.length < MIN_PARTIAL) return;
  for (const { name, path: place } of namesStartingWith(db, partial, MAX_BEGUN))
    if (place !== path && familyOf(place) === family)
      clues.addUse(name, { path, name, receiver, line, enclosing: null });
}

type NameFeatures = Omit<Features, keyof PlaceFeatures>;

function nameFeatures({ name, signals: s }: Clue, { partial, receiver }: Cursor): NameFeatures {
  const isBegun = partial !== "" && name.startsWith(partial);
  return {
    near: Math.log1p(s.near),
    below: Math.log1p(s.below),
    above: Math.log1p(s.above),
    inLine: s.inLine,
    inFile: Math.log1p(s.inFile),
    imported: s.imported,
    unused: s.unused,
    follows: Math.sqrt(s.follows),
    followsLast: Math.sqrt(s.followsLast),
    ofReceiver: receiver === null ? 0 : s.ofReceiver,
    notOfReceiver: receiver !== null && s.ofReceiver === 0 ? 1 : 0,
    ofModule: s.ofModule,
    starts: isBegun ? Math.min(MAX_STARTS, partial.length) : 0,
    startsOtherwise: partial !== "" && !isBegun ? 1 : 0,
  };
}

/** Letters of an unfinished name; after these more of them do not make it surer. */
const MAX_STARTS = 4;

type PlaceFeatures = Pick<
  Features,
  | ("methodWithoutReceiver" | "isFunction" | "isMethod" | "isType" | "wantedType")
  | ("exact" | "throughImport" | "byName" | "steps")
>;

function placeFeatures(
  { path, kind }: Located,
  confidence: Confidence,
  { path: from, receiver, wantsType }: Cursor,
): PlaceFeatures {
  const isType = /^(class|interface|type|enum)$/.test(kind);
  return {
    methodWithoutReceiver: receiver === null && kind === "method" ? 1 : 0,
    exact: confidence === "exact" ? 1 : 0,
    throughImport: confidence === "imported" ? 1 : 0,
    byName: confidence === "name" ? 1 : 0,
    steps: pathDistance(folderOf(from), folderOf(path)),
    isFunction: kind === "function" ? 1 : 0,
    isMethod: kind === "method" ? 1 : 0,
    isType: isType ? 1 : 0,
    wantedType: isType && wantsType ? 1 : 0,
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
  const { db, tree, family, path } = cursor;
  if (definitions.length) return definitions.map((definition) => ({ definition, confidence: "imported" }));
  for (const use of uses) {
    if (use.path !== path || !isReadable(use.receiver, cursor)) continue;
    const found = targetsOf(tree, use);
    if (found.some(({ confidence }) => confidence !== "name")) return found;
  }
  const named = tree
    .once(`some ${name}`, () => definitionsNamed(db, name, MAX_NAMESAKES + 1))
    .filter((one) => familyOf(one.path) === family);
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
