/**
 * A save is taken in while everything is being compared. What was looked at first must not be written over what was
 * looked at later, so each look has its number.
 */
export interface ReadOrder {
  /** To be taken before looking. */
  next(): number;
  /** Whether nothing that was looked at later is in the index; if so, this is. */
  claim(path: string, look: number): boolean;
  /** For when nothing is being looked at. */
  forget(): void;
}

export function createReadOrder(): ReadOrder {
  const newest = new Map<string, number>();
  let looks = 0;
  return {
    next: () => ++looks,
    claim(path, look) {
      if ((newest.get(path) ?? 0) > look) return false;
      newest.set(path, look);
      return true;
    },
    forget: () => newest.clear(),
  };
}
