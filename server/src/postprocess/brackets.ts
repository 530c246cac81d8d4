/** Counts brackets in the cursor's line. Not a parser: string literals that end in their line are skipped, no more. */

const PAIRS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;
const CLOSERS = /[)\]}]/;
/** `'` also marks lifetimes and contractions: only literals without blanks count, not after a word, `&` or `<`. */
const LITERAL = /"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`|(?<![\w&<])'(?:\\.|[^'\\\s])*'/g;

export const hasBracket = (text: string): boolean => /[()[\]{}]/.test(text);
export const isCloser = (character: string): boolean => CLOSERS.test(character);

/**
 * Whether `middle` closes a bracket that `after` closes too.
 *
 * Only kinds of brackets that `after` closes are judged: for the others nothing says that the middle must not.
 *
 * @param before the cursor's line left of it; `after`: right of it
 */
export function closesTooMuch(before: string, middle: string, after: string): boolean {
  const line = withoutLiterals(before + middle + after);
  const left = line.slice(0, before.length);
  const right = line.slice(before.length + middle.length);
  return PAIRS.some(([open, close]) => {
    const closedByAfter = unmatchedClosers(right, open, close);
    if (closedByAfter === 0) return false;
    const missing = unmatchedOpeners(left, open, close) - closedByAfter;
    return (
      missing + surplus(line.slice(before.length, before.length + middle.length), open, close) <
      Math.min(missing, 0)
    );
  });
}

/** @returns whether `text` leaves open the kind of bracket that `closer` closes */
export function leavesOpen(text: string, closer: string): boolean {
  const pair = PAIRS.find(([, close]) => close === closer);
  return pair !== undefined && surplus(withoutLiterals(text), pair[0], pair[1]) > 0;
}

const withoutLiterals = (line: string): string =>
  line.replace(LITERAL, (literal) => " ".repeat(literal.length));

/** Openers less closers. */
function surplus(text: string, open: string, close: string): number {
  let count = 0;
  for (const character of text) count += Number(character === open) - Number(character === close);
  return count;
}

function unmatchedOpeners(text: string, open: string, close: string): number {
  let depth = 0;
  for (const character of text) {
    if (character === open) depth++;
    else if (character === close && depth > 0) depth--;
  }
  return depth;
}

function unmatchedClosers(text: string, open: string, close: string): number {
  let depth = 0;
  let unmatched = 0;
  for (const character of text) {
    if (character === open) depth++;
    else if (character === close && depth > 0) depth--;
    else if (character === close) unmatched++;
  }
  return unmatched;
}
