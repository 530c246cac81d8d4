/** How the names of the open file are used in it, and with that which of them are likely where no match speaks for any. */
import type { Vocabulary } from "./vocabulary.ts";

export interface NameUses {
  readonly uses: number;
  /** Of them, behind a dot: as a member. */
  readonly asMember: number;
  /** Of them, in statements that import. */
  readonly imported: number;
  /** Tokens from the first and the last use above to the cursor's line; 0 when all are below. */
  readonly first: number;
  readonly last: number;
}

interface Counted {
  uses: number;
  asMember: number;
  imported: number;
  /** Places in the text. */
  first: number;
  last: number;
}

/** Counts the names of a text that grows at its end. */
export class NameCounts {
  readonly #vocabulary: Vocabulary;
  readonly #names = new Map<number, Counted>();
  #length = 0;
  #isMember = false;
  #isImport = false;
  #isLineStart = true;
  /** Brackets open in the statement that imports. */
  #depth = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Tokens, names or not. */
  get length(): number {
    return this.#length;
  }

  get names(): ReadonlyMap<number, Readonly<Counted>> {
    return this.#names;
  }

  push(id: number): void {
    const place = this.#length++;
    this.#lookForImport(id);
    if (this.#vocabulary.isName(id)) {
      const known = this.#names.get(id);
      const counted = known ?? { uses: 0, asMember: 0, imported: 0, first: place, last: place };
      if (!known) this.#names.set(id, counted);
      counted.uses++;
      if (this.#isMember) counted.asMember++;
      if (this.#isImport) counted.imported++;
      counted.last = place;
    }
    this.#isMember = this.#vocabulary.isDot(id);
  }

  #lookForImport(id: number): void {
    if (this.#vocabulary.isLineBreak(id)) {
      if (this.#depth === 0) this.#isImport = false;
      this.#isLineStart = true;
      return;
    }
    const text = this.#isLineStart || this.#isImport ? this.#vocabulary.text(id) : "";
    if (this.#isLineStart && !this.#isImport) {
      this.#isImport = IMPORTS.has(text);
      this.#depth = 0;
    }
    this.#isLineStart = false;
    if (!this.#isImport) return;
    if (/^[([{]$/.test(text)) this.#depth++;
    else if (/^[)\]}]$/.test(text)) this.#depth = Math.max(0, this.#depth - 1);
  }
}

/** First words of statements that bring names in. */
const IMPORTS: ReadonlySet<string> = new Set(["import", "from", "use", "using", "require"]);

/** Of the text above and below the cursor's line. */
export interface NamesOfFile {
  readonly above: NameCounts;
  readonly below: NameCounts;
}

/** @returns `undefined` for what is no name of the file */
export function usesOf({ above, below }: NamesOfFile, id: number): NameUses | undefined {
  const [over, under] = [above.names.get(id), below.names.get(id)];
  if (!over && !under) return undefined;
  return {
    uses: (over?.uses ?? 0) + (under?.uses ?? 0),
    asMember: (over?.asMember ?? 0) + (under?.asMember ?? 0),
    imported: (over?.imported ?? 0) + (under?.imported ?? 0),
    first: over ? above.length - over.first : 0,
    last: over ? above.length - over.last : 0,
  };
}

/** @returns how much of a name's uses are like the one asked for: behind a dot, or not */
export const fits = ({ uses, asMember }: NameUses, isMember: boolean): number =>
  (isMember ? asMember : uses - asMember) / uses;

/** More are too unlikely, each. */
const MOST_AT_HAND = 40;
/** Tokens within which it makes no difference how long ago a name was used. */
const JUST_NOW = 10;
/** As if so far away, in tokens: what is used below only, and what is imported and waits to be used. */
const BELOW = 2_000;
const IMPORTED = 150;

/**
 * @param lastUse word → how many tokens back it was used last, before the cursor
 * @returns names → share; they add up to 1, or there are none
 */
export function namesAtHand(
  names: NamesOfFile,
  lastUse: ReadonlyMap<number, number>,
  isMember: boolean,
): Map<number, number> {
  const likely: { id: number; weight: number }[] = [];
  for (const { names: some } of [names.above, names.below])
    for (const id of some.keys()) {
      const use = some === names.below.names && names.above.names.has(id) ? undefined : usesOf(names, id);
      const fit = use ? fits(use, isMember) : 0;
      if (!use || fit === 0) continue;
      const isUnused = use.imported === use.uses;
      const back = Math.min(lastUse.get(id) ?? (use.last || BELOW), isUnused ? IMPORTED : BELOW);
      likely.push({ id, weight: (fit * (1 + Math.log(use.uses))) / (JUST_NOW + back) });
    }
  likely.sort((a, b) => b.weight - a.weight).splice(MOST_AT_HAND);
  const total = likely.reduce((sum, { weight }) => sum + weight, 0);
  return new Map(likely.map(({ id, weight }) => [id, weight / total]));
}
