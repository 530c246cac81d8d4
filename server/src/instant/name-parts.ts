/** What a name becomes where a part of another one is replaced: with `order` for `user`, `UserList` is `OrderList`. */

/**
 * @param theirs a name that `ours` stands for
 * @returns `name` with the part replaced in which those two differ; `undefined` when it has no such part
 */
export function withOurPart(name: string, theirs: string, ours: string): string | undefined {
  const part = differingPart(theirs, ours);
  if (!part) return undefined;
  for (const style of STYLES) {
    const from = style(part.theirs);
    const at = placeOfPart(name, from);
    if (at >= 0) return name.slice(0, at) + style(part.ours) + name.slice(at + from.length);
  }
  return undefined;
}

const STYLES: readonly ((part: string) => string)[] = [
  (part) => part,
  (part) => part.slice(0, 1).toLowerCase() + part.slice(1),
  (part) => part.slice(0, 1).toUpperCase() + part.slice(1),
  (part) => part.toUpperCase(),
  (part) => part.toLowerCase(),
];

/** A letter alone is in too many names by chance. */
const MIN_PART = 2;

/** What is left of both without the words at their starts and ends that are the same. */
function differingPart(theirs: string, ours: string): { theirs: string; ours: string } | undefined {
  const most = Math.min(theirs.length, ours.length);
  let start = 0;
  while (start < most && theirs[start] === ours[start]) start++;
  while (!(isWordEnd(theirs, start) && isWordEnd(ours, start))) start--;
  let end = 0;
  while (end < most - start && theirs.at(-1 - end) === ours.at(-1 - end)) end++;
  while (!(isWordEnd(theirs, theirs.length - end) && isWordEnd(ours, ours.length - end))) end--;
  const part = {
    theirs: theirs.slice(start, theirs.length - end),
    ours: ours.slice(start, ours.length - end),
  };
  return part.theirs.length < MIN_PART || part.ours.length < MIN_PART ? undefined : part;
}

/** Also with a plural's `s` behind it. @returns -1 when the name has no such word */
function placeOfPart(name: string, part: string): number {
  for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (
      isWordEnd(name, at) &&
      (isWordEnd(name, end) || (/s/i.test(name[end] ?? "") && isWordEnd(name, end + 1)))
    )
      return at;
  }
  return -1;
}

/** At the start and the end of a name, beside `_`, `$` and digits, and before a capital behind a small letter. */
const isWordEnd = (name: string, at: number): boolean =>
  at === 0 ||
  at === name.length ||
  /[_$\d]/.test(name.slice(at - 1, at + 1)) ||
  /^[a-z][A-Z]/.test(name.slice(at - 1, at + 1));
