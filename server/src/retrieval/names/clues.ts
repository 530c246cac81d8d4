/** What is gathered about names, each once, before it is known what they mean. */
import type { Use } from "../../graph/scope.ts";
import type { Located } from "../../graph/tree.ts";

export interface Clue {
  readonly name: string;
  /** Uses that tell where the name leads, the most telling first. */
  readonly uses: Use[];
  /** Where it is known to lead, which makes the uses superfluous. */
  readonly definitions: Located[];
  readonly signals: Signals;
}

/** What speaks for a name; 0 says nothing. */
export interface Signals {
  /** Lines below the cursor that have it, each counting the less the further away it is. */
  below: number;
  /** Left of the cursor in its own line; 1 or 0. */
  inLine: number;
  /** Calls and types of the whole file. */
  inFile: number;
  /** By its name; 1 or 0. */
  imported: number;
  /** Imported and not yet used; 1 or 0. */
  unused: number;
  /** How often it follows the names above the cursor elsewhere, and the last of them at once; see followers.ts. */
  follows: number;
  followsLast: number;
  /** A member of what stands before the dot: 1 when known to be, 0.5 when something called the same elsewhere has it. */
  ofReceiver: number;
  /** Exported by the module before the dot; 1 or 0. */
  ofModule: number;
}

/** A name looked up through more of its uses is not found through the next one either. */
const MAX_USES = 3;

export interface Clues {
  has(name: string): boolean;
  of(name: string): Clue;
  addUse(name: string, use: Use): Clue;
  all(): readonly Clue[];
}

export function createClues(): Clues {
  const clues = new Map<string, Clue>();
  function of(name: string): Clue {
    const known = clues.get(name);
    if (known) return known;
    const clue = { name, uses: [], definitions: [], signals: { ...NOTHING } };
    clues.set(name, clue);
    return clue;
  }
  return {
    has: (name) => clues.has(name),
    of,
    addUse(name, use) {
      const clue = of(name);
      if (clue.uses.length < MAX_USES) clue.uses.push(use);
      return clue;
    },
    all: () => [...clues.values()],
  };
}

const NOTHING: Signals = {
  ...{ below: 0, inLine: 0, inFile: 0, imported: 0, unused: 0 },
  ...{ follows: 0, followsLast: 0, ofReceiver: 0, ofModule: 0 },
};
