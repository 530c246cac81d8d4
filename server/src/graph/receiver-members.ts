/** What may follow `receiver.` and where that is defined: members of its type, or what a module exports. */
import type { IndexDb } from "@dhi/core/index-db";
import { definedMembers, memberDefinitions } from "./guess-members.ts";
import { holderOf } from "./holder.ts";
import { membersAt } from "./members.ts";
import { targetsOf } from "./reference.ts";
import { familyOf } from "./resolve/languages.ts";
import { SEPARATOR } from "./scope.ts";
import { type Located, treeOf } from "./tree.ts";

export interface ReceiverPlace {
  readonly path: string;
  /** As it is written, without the last dot. */
  readonly receiver: string;
  /** 1-based. */
  readonly line: number;
  /** See `SymbolReference.enclosing`. */
  readonly enclosing: string | null;
}

/** A package of more files is looked at no further. */
const MAX_FILES = 32;

/** @returns empty for what is not of the workspace, and for a value whose type is not known */
export function receiverMembers(db: IndexDb, { path, receiver, line, enclosing }: ReceiverPlace): Located[] {
  const tree = treeOf(db);
  const family = familyOf(path);
  if (!family) return [];
  const place = { path, expression: receiver, line };
  const guessed = memberDefinitions(db, place);
  if (guessed.length) return guessed;
  const use = { path, name: "", receiver: null, line, enclosing };
  const holder = holderOf(
    { tree, family, use, resolve: (other) => targetsOf(tree, other) },
    receiver.split(SEPARATOR),
  );
  if (holder === "outside") return [];
  if (holder?.module)
    return holder.module.files
      .slice(0, MAX_FILES)
      .flatMap((file) => tree.inside(file, holder.module?.owner ?? null))
      .filter(({ exported }) => exported);
  const owners = (holder?.definitions ?? []).filter(({ kind }) => /^(class|interface|enum|type)$/.test(kind));
  if (owners.length) return owners.flatMap((owner) => definedMembers(tree, owner));
  // TypeScript knows what a value is that no text says the type of.
  const { type, from } = membersAt(db, place);
  const name = from === "typescript" ? /^(?:typeof )?([\w$.]+)/.exec(type ?? "")?.[1] : undefined;
  return name === undefined ? [] : memberDefinitions(db, place, name);
}
