/** Definitions, in other files, of the names used near the cursor and of the name being typed. */
import { posix } from "node:path";
import type { IndexDb } from "@dhi/core/index-db";
import { countDefinitions, type Definition, definitionsOf, definitionsStartingWith } from "../chunk-rows.ts";
import { byRank, type Leg } from "../leg.ts";
import { MIN_PARTIAL, type RetrievalQuery } from "../query.ts";

/** So many of a name's definitions are shown, the nearest. */
const MAX_PLACES = 4;
/** A name defined all over the place (`get`, `main`) says nothing about which one is meant. */
const TOO_MANY_PLACES = MAX_PLACES * 3 + 1;
const MAX_DEFINITIONS = 16;

export const definitionsLeg: Leg = (db, query) => byRank(definitionsFor(db, query));

/** @returns the definitions of the unfinished name first, then those of each name in turn */
export function definitionsFor(
  db: IndexDb,
  { path, names, partial }: Pick<RetrievalQuery, "path" | "names" | "partial">,
): Definition[] {
  const folder = posix.dirname(path);
  const nearestFirst = (found: Definition[]) =>
    found
      .filter((d) => d.path !== path)
      .map((d) => ({ d, distance: pathDistance(folder, posix.dirname(d.path)) - d.exported }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_PLACES)
      .map(({ d }) => d);

  const found =
    partial.length >= MIN_PARTIAL ? nearestFirst(definitionsStartingWith(db, partial, MAX_PLACES * 2)) : [];
  for (const name of names) {
    if (found.length >= MAX_DEFINITIONS) break;
    if (countDefinitions(db, name, TOO_MANY_PLACES) < TOO_MANY_PLACES)
      found.push(...nearestFirst(definitionsOf(db, name, TOO_MANY_PLACES)));
  }
  return found.slice(0, MAX_DEFINITIONS);
}

/** Steps up and down between two folders: 0 for the same one. */
export function pathDistance(a: string, b: string): number {
  const from = a === "." ? [] : a.split("/");
  const to = b === "." ? [] : b.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  return from.length + to.length - 2 * shared;
}
