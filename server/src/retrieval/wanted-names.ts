/** Names that are looked for in texts as legs compare them, and where they stand there. */
import { caseless, type NamedText, nameKey } from "./named-text.ts";

export interface WantedNames {
  /** What each counts, by its {@link nameKey}. */
  readonly weights: ReadonlyMap<number, number>;
  /** Whether one of them may have a key that ends so: most names of a text are done with here. */
  readonly endings: Uint8Array;
}

/** A name that counts, on a line that has it. */
export interface Hit {
  /** Index of the line. */
  readonly line: number;
  /** See {@link nameKey}. */
  readonly key: number;
  readonly weight: number;
}

/** @param weights by name; 0 is as good as none */
export function wantedNames(weights: ReadonlyMap<string, number>): WantedNames {
  const byKey = new Map([...weights].filter(([, weight]) => weight !== 0).map(([n, w]) => [nameKey(n), w]));
  const endings = new Uint8Array(ENDINGS);
  for (const key of byKey.keys()) endings[key & (ENDINGS - 1)] = 1;
  return { weights: byKey, endings };
}

const ENDINGS = 1_024;
const ASCII = 128;

/** @returns in the order of the text, repeats included */
export function hitsIn({ keys, lines }: NamedText, { weights, endings }: WantedNames): Hit[] {
  const hits: Hit[] = [];
  keys.forEach((key, i) => {
    if (!endings[key & (ENDINGS - 1)]) return;
    const weight = weights.get(key);
    if (weight !== undefined) hits.push({ line: lines[i] ?? 0, key, weight });
  });
  return hits;
}

/**
 * @param start in lower case
 * @returns names that begin so, in the order of the text, without those that are wanted by themselves
 */
export function hitsStarting(
  { text, keys, lines, starts }: NamedText,
  start: { readonly of: string; readonly weight: number },
  { weights }: WantedNames,
): Hit[] {
  const first = caseless(start.of.charCodeAt(0));
  const hits: Hit[] = [];
  starts.forEach((at, i) => {
    const code = text.charCodeAt(at);
    // Slices of all names would be as many strings.
    if (code < ASCII && caseless(code) !== first) return;
    if (text.slice(at, at + start.of.length).toLowerCase() !== start.of) return;
    const key = keys[i] ?? 0;
    if (!weights.has(key)) hits.push({ line: lines[i] ?? 0, key, weight: start.weight });
  });
  return hits;
}
