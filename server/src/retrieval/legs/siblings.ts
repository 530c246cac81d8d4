/** The same thing done elsewhere: the method in classes that share a base, functions of the same name in files nearby. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { enclosing, isCallable, isOwner } from "../../graph/enclosing.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { folderOf } from "../../graph/resolve/paths.ts";
import { type Located, qualified, type Tree, treeOf } from "../../graph/tree.ts";
import type { Leg } from "../leg.ts";
import { pathDistance } from "../names/path-distance.ts";
import { symbolCandidates } from "../symbol-candidates.ts";

const MAX_FOUND = 16;
/** Classes that name the same base which are looked at; a base of more is `object`, `Error`, `Component`. */
const MAX_BROTHERS = 48;
const MAX_BASES = 4;
/** Shown of one kind; the third of a kind says little that the first two did not. */
const MAX_SAME = 6;

export const siblingsLeg: Leg = (db, { path, line, before }) => {
  const family = familyOf(path);
  if (!family) return [];
  const tree = treeOf(db);
  const { callable, owner } = enclosing(db, path, line, before);
  const steps = (one: Located) => pathDistance(folderOf(path), folderOf(one.path));
  const nearest = (found: readonly Located[]) =>
    found
      .filter((one) => one.path !== path && familyOf(one.path) === family)
      .map((one) => ({ one, steps: steps(one) }))
      .sort((a, b) => a.steps - b.steps)
      .slice(0, MAX_SAME)
      .map(({ one }) => one);

  const brothers = owner ? brothersOf(db, tree, owner) : [];
  const same = callable ? brothers.flatMap((brother) => memberNamed(tree, brother, callable.name)) : [];
  const namesakes = callable && !same.length ? tree.named(callable.name).filter(isCallable) : [];
  const ranked = [
    ...nearest(same),
    ...nearest(namesakes),
    // Their heads and first members, for a method that none of them has.
    ...(same.length ? [] : nearest(brothers)),
  ];
  return ranked.slice(0, MAX_FOUND).flatMap((definition, rank) =>
    symbolCandidates(db, [definition]).map((candidate) => ({
      ...candidate,
      score: (same.length ? 1 : 0.5) / (rank + 1),
    })),
  );
};

/** Types of other files that extend or implement what this one does, by the names of those. */
function brothersOf(db: IndexDb, tree: Tree, owner: Located): Located[] {
  const users = prepared<[string, number], { path: string; enclosing: string }>(
    db,
    `SELECT live.path, refs.enclosing FROM refs CROSS JOIN live USING (blob_id)
     WHERE refs.name = ? AND refs.kind = 'inherit' AND refs.enclosing IS NOT NULL LIMIT ?`,
  );
  const bases = tree.bases(owner.path, qualified(owner)).slice(0, MAX_BASES);
  return bases.flatMap(({ name }) =>
    users
      .all(name, MAX_BROTHERS)
      .flatMap(({ path, enclosing: brother }) =>
        tree
          .symbols(path, brother.slice(brother.lastIndexOf(".") + 1))
          .filter((one) => isOwner(one) && qualified(one) === brother && one.path !== owner.path),
      ),
  );
}

/** Of the type itself, in its own file. */
const memberNamed = (tree: Tree, { path, ...owner }: Located, name: string): Located[] =>
  tree
    .symbols(path, name)
    .filter(({ container, kind }) => container === qualified(owner) && kind === "method");
