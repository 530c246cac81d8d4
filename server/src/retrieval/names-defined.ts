/** Definitions of given names in other files, for when the names are known and what they mean here is not. */
import { posix } from "node:path";
import type { IndexDb } from "@dhi/core/index-db";
import { countDefinitions, type Definition, definitionsOf } from "./chunk-rows.ts";
import { pathDistance } from "./names/path-distance.ts";
import type { RetrievalQuery } from "./query.ts";

/** So many of a name's definitions are shown, the nearest. */
const MAX_PLACES = 4;
/** A name defined all over the place (`get`, `main`) says nothing about which one is meant. */
const TOO_MANY_PLACES = MAX_PLACES * 3 + 1;
const MAX_DEFINITIONS = 16;

/** @returns the chunks that hold them, those of each name in turn */
export function namesDefined(
  db: IndexDb,
  { path, names }: Pick<RetrievalQuery, "path" | "names">,
): Definition[] {
  const folder = posix.dirname(path);
  const nearestFirst = (found: Definition[]) =>
    found
      .filter((d) => d.path !== path)
      .map((d) => ({ d, distance: pathDistance(folder, posix.dirname(d.path)) - d.exported }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_PLACES)
      .map(({ d }) => d);

  const found: Definition[] = [];
  for (const name of names) {
    if (found.length >= MAX_DEFINITIONS) break;
    if (countDefinitions(db, name, TOO_MANY_PLACES) < TOO_MANY_PLACES)
      found.push(...nearestFirst(definitionsOf(db, name, TOO_MANY_PLACES)));
  }
  return found.slice(0, MAX_DEFINITIONS);
}
