/** Where a call was made, and whether a cursor is where its text goes on. */
import { ownCopy } from "../own-copy.ts";

export interface Place {
  /** All that a call depends on but prefix and suffix, as one string: workspace, path, model, format, mode, … */
  readonly scope: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Nothing beyond this line is wanted, so that a call for it ends there. */
  readonly oneLine: boolean;
}

/** As much of a place as finds it again. */
export interface KeptPlace {
  readonly scope: string;
  readonly prefixLength: number;
  /** The end of the prefix, and the start of the suffix. */
  readonly tail: string;
  readonly head: string;
}

/** Left and right of the cursor, so much has to be as it was. */
const TAIL = 1_024;
const HEAD = 256;

export const keptPlace = ({ scope, prefix, suffix }: Place): KeptPlace => ({
  ...{ scope, prefixLength: prefix.length },
  tail: ownCopy(prefix.slice(-TAIL)),
  head: ownCopy(suffix.slice(0, HEAD)),
});

/** @returns what the prefix has beyond that of the call; `undefined` when it does not begin with that */
export function typedSince({ prefixLength, tail }: KeptPlace, { prefix }: Place): string | undefined {
  if (prefix.length < prefixLength) return undefined;
  if (prefix.slice(Math.max(0, prefixLength - TAIL), prefixLength) !== tail) return undefined;
  return prefix.slice(prefixLength);
}

/** Whether what was typed may yet come to where the call was made, as far as what is kept of it tells. */
export function isBefore({ prefix }: Place, { prefixLength, tail }: KeptPlace): boolean {
  const ahead = prefixLength - prefix.length;
  const known = tail.slice(0, Math.max(0, tail.length - ahead));
  return ahead > 0 && known !== "" && prefix.endsWith(known);
}

/**
 * Editors close brackets and quotes as they are typed, and let them be typed over: either suffix may begin with some
 * closers that the other has not, if what was typed has the bracket that accounts for them.
 */
export function sameSuffix({ head }: KeptPlace, { suffix }: Place, typed: string): boolean {
  if (suffix.slice(0, HEAD) === head) return true;
  const added = CLOSERS.exec(suffix)?.[0] ?? "";
  for (let n = 1; n <= added.length; n++) {
    if (suffix.slice(n, n + HEAD) === head.slice(0, HEAD) && opens(typed, added.slice(0, n))) return true;
  }
  const gone = CLOSERS.exec(head)?.[0] ?? "";
  for (let n = 1; n <= gone.length; n++) {
    if (suffix.slice(0, HEAD - n) === head.slice(n) && closes(typed, gone.slice(0, n))) return true;
  }
  return false;
}

const CLOSERS = /^[)\]}>"'`]{1,8}/;

const OPENER: Readonly<Record<string, string>> = {
  ")": "(",
  "]": "[",
  "}": "{",
  ">": "<",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** Whether `typed` holds an opener for each closer. */
const opens = (typed: string, closers: string): boolean =>
  [...closers].every((closer) => typed.includes(OPENER[closer] ?? closer));

/** Whether `typed` holds the closers, in their order. */
function closes(typed: string, closers: string): boolean {
  let at = 0;
  for (const closer of closers) {
    at = typed.indexOf(closer, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
