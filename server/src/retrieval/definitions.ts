/** Definitions, in other files, of the names used near the cursor and of the name being typed. */
import { posix } from "node:path";
import type { IndexDb } from "@dhi/core/index-db";
import { type Definition, definitionsOf, definitionsStartingWith } from "./chunk-rows.ts";
import type { Leg } from "./leg.ts";
import { MIN_PARTIAL, type RetrievalQuery } from "./query.ts";

/** A name defined in more places than this (`get`, `main`) says nothing about which one is meant. */
const MAX_PLACES = 4;
const MAX_DEFINITIONS = 16;

export const definitionsLeg: Leg = (db, query) => definitionsFor(db, query);

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
    const places = definitionsOf(db, name, MAX_PLACES * 4);
    if (places.length <= MAX_PLACES * 3) found.push(...nearestFirst(places));
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
