/** What is known of the types of a program already, so that no answer says it twice. */
import type ts from "typescript";

export interface TypeMemory {
  /** How many steps outside the workspace were followed from the type with this key; -1: it was not gathered. */
  stepsOf(key: string): number;
  gathered(key: string, steps: number): void;
  notGathered(key: string): void;
  readonly texts: WeakMap<ts.Type, string>;
  readonly keys: WeakMap<ts.Type, KnownKey>;
}

export interface KnownKey {
  /** `undefined` for one that is too deep. */
  readonly key: string | undefined;
  /** How many steps were followed from what stands in the type. */
  readonly steps: number;
}

/** @param library what was gathered of TypeScript's own types: those stay the same, whatever changes */
export function createTypeMemory(library: Map<string, number>): TypeMemory {
  const own = new Map<string, number>();
  const mapOf = (key: string) => (isOfLibrary(key) ? library : own);
  return {
    stepsOf: (key) => mapOf(key).get(key) ?? -1,
    gathered: (key, steps) => mapOf(key).set(key, steps),
    notGathered: (key) => mapOf(key).delete(key),
    texts: new WeakMap(),
    keys: new WeakMap(),
  };
}

/** Not an instance of a generic type, whose arguments may be the workspace's. */
const isOfLibrary = (key: string): boolean => key.startsWith("lib#") && !/[<|&[]/.test(key);
