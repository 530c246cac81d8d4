/** Texts as legs compare them: lines, and the names on each. Made once per text, since a keystroke asks for many again. */
import { COMMON_WORDS, identifiersOf } from "@dhi/core/identifiers";

export interface LinedText {
  readonly lines: readonly string[];
  /** Indices of the lines that have a name (see {@link namesOf}), ascending; of one twice when it has it twice. */
  readonly withName: ReadonlyMap<string, readonly number[]>;
}

/** Some 20 MB. */
const MAX_LINES = 100_000;
/** Longer lines are data. */
const MAX_LINE_CHARS = 1_000;

const kept = new Map<string, LinedText>();
let keptLines = 0;

/**
 * @param key the same for the same text: its hash
 * @param read called when the text is not known
 */
export function linedText(key: string, read: () => string): LinedText {
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const made = toLines(read());
  kept.set(key, made);
  keptLines += made.lines.length;
  for (const [oldest, { lines }] of kept) {
    if (keptLines <= MAX_LINES || oldest === key) break;
    kept.delete(oldest);
    keptLines -= lines.length;
  }
  return made;
}

export function toLines(text: string): LinedText {
  const lines = text.split("\n");
  const withName = new Map<string, number[]>();
  lines.forEach((line, i) => {
    for (const name of namesOf(line)) {
      const at = withName.get(name);
      if (at) at.push(i);
      else withName.set(name, [i]);
    }
  });
  return { lines, withName };
}

/** In lower case, since `Invoice` and `invoice` are about the same thing. @returns what may tell one place from another */
export function namesOf(line: string): string[] {
  const names: string[] = [];
  for (const identifier of identifiersOf(line.slice(0, MAX_LINE_CHARS))) {
    const name = identifier.toLowerCase();
    if (name.length > 1 && !COMMON_WORDS.has(name)) names.push(name);
  }
  return names;
}
