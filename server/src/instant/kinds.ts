/** What kind of token comes next, going by the kinds of those before it: any name, or which of the other tokens. */
import { ANY_NAME, SHAPES } from "./grammar.ts";
import type { TokenStore } from "./token-store.ts";
import { LINE_END, type Vocabulary } from "./vocabulary.ts";

export interface Kinds {
  /** That it is a name, 0 to 1, and whether a space belongs before one. */
  readonly name: number;
  readonly nameIsSpaced: boolean;
  /** The other tokens. Line breaks count as {@link LINE_END}. */
  readonly others: readonly OtherKind[];
  /** @returns how likely the token's kind is, with or without a space before it */
  share(id: number, spaced: boolean): number;
}

export interface OtherKind {
  readonly id: number;
  readonly spaced: boolean;
  readonly share: number;
}

export interface KindSource {
  readonly tokens: TokenStore;
  /** How much a token in it counts. */
  readonly weight: number;
}

/** @param context ids, the nearest last */
export function kindsAfter(
  sources: readonly KindSource[],
  context: readonly number[],
  vocabulary: Vocabulary,
): Kinds {
  const levels = SHAPES.map(() => new Map<number, number>());
  for (const { tokens, weight } of sources)
    tokens.followingShape(context, (level, code, count) => {
      const end = vocabulary.isLineBreak(code >> 1) ? 2 * LINE_END : code;
      const counts = levels[level];
      counts?.set(end, (counts.get(end) ?? 0) + weight * count);
    });
  const shares = interpolated(levels);
  const names = [shares.get(2 * ANY_NAME) ?? 0, shares.get(2 * ANY_NAME + 1) ?? 0] as const;
  return {
    name: names[0] + names[1],
    nameIsSpaced: names[1] > names[0],
    others: [...shares].flatMap(([code, share]) =>
      code >> 1 === ANY_NAME ? [] : [{ id: code >> 1, spaced: code % 2 === 1, share }],
    ),
    share: (id, spaced) =>
      shares.get(2 * (vocabulary.isName(id) ? ANY_NAME : id) + Number(spaced && id !== LINE_END)) ?? 0,
  };
}

/** Witten and Bell's estimate, from short shapes to long ones. */
function interpolated(levels: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  let shares = new Map<number, number>();
  for (const counts of levels) {
    let total = 0;
    for (const count of counts.values()) total += count;
    if (total === 0) break;
    const kinds = counts.size;
    const longer = new Map<number, number>();
    for (const [code, share] of shares) longer.set(code, (kinds * share) / (total + kinds));
    for (const [code, count] of counts) longer.set(code, (longer.get(code) ?? 0) + count / (total + kinds));
    shares = longer;
  }
  return shares;
}
