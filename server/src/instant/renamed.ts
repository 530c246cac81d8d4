/**
 * Reads a place in other code as if its names were ours: `users.find(user)` before the place and `orders.find(order)`
 * before the cursor make `user` there mean `order` here, and `UserList` mean `OrderList`.
 */
import { withOurPart } from "./name-parts.ts";
import type { TokenStore } from "./token-store.ts";
import { UNKNOWN, type Vocabulary } from "./vocabulary.ts";

export interface Renamed {
  /** The next token, in our names; {@link UNKNOWN} for a name nobody has used yet. */
  readonly id: number;
  /** Tokens that match, less what each other name costs. */
  readonly length: number;
}

/** Further back nothing is compared. */
const MOST_BACK = 28;
/** Tokens of a match that one other name is worth, and what is to be left after that. */
const COST = 3;
const MIN_LENGTH = 3;

/** @returns `undefined` when the place matches as it is, or too little of it does */
export function renamedAt(
  tokens: TokenStore,
  place: number,
  context: readonly number[],
  vocabulary: Vocabulary,
): Renamed | undefined {
  const theirs: number[] = [];
  const ours: number[] = [];
  let matched = 0;
  let renames = 0;
  for (; matched < MOST_BACK && matched < place && matched < context.length; matched++) {
    const their = tokens.id(place - 1 - matched);
    const our = context[context.length - 1 - matched] ?? UNKNOWN;
    if (!vocabulary.isName(their) || !(our === UNKNOWN || vocabulary.isName(our))) {
      if (their === our) continue;
      break;
    }
    const known = theirs.indexOf(their);
    if (known >= 0) {
      if (ours[known] !== our) break;
      continue;
    }
    theirs.push(their);
    ours.push(our);
    if (their !== our) renames++;
  }
  const length = matched - COST * renames;
  if (renames === 0 || length < MIN_LENGTH) return undefined;
  const next = tokens.id(place);
  const known = theirs.indexOf(next);
  return {
    id: known >= 0 ? (ours[known] ?? UNKNOWN) : inOurParts(next, { theirs, ours }, vocabulary),
    length,
  };
}

/** For a name that stands for none of ours yet: one that it becomes with a part of another of ours, if anybody uses that. */
function inOurParts(
  name: number,
  { theirs, ours }: { readonly theirs: readonly number[]; readonly ours: readonly number[] },
  vocabulary: Vocabulary,
): number {
  if (!vocabulary.isName(name)) return name;
  for (const [i, their] of theirs.entries()) {
    const our = ours[i] ?? UNKNOWN;
    if (our === their || our === UNKNOWN) continue;
    const text = withOurPart(vocabulary.text(name), vocabulary.text(their), vocabulary.text(our));
    const id = text === undefined ? UNKNOWN : vocabulary.find(text);
    if (id !== UNKNOWN) return id;
  }
  return name;
}
