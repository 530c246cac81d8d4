/** The part of a text that says most about what is looked for. */

export interface LineWindow {
  /** Index of the first line, and of the line after the last. */
  readonly start: number;
  readonly end: number;
  /** Sum over the different names in it; 0 when it has none that counts. */
  readonly weight: number;
}

/**
 * @param names of each line
 * @param weigh what a name counts, once per window
 * @returns of the stretches of `size` lines the first that weighs most, or all lines when there are fewer
 */
export function heaviestWindow(
  names: readonly (readonly string[])[],
  weigh: (name: string) => number,
  size: number,
): LineWindow {
  const inside = new Map<string, number>();
  let weight = 0;
  let best: LineWindow = { start: 0, end: Math.min(size, names.length), weight: 0 };
  for (let end = 1; end <= names.length; end++) {
    for (const name of names[end - 1] ?? []) {
      const weighs = weigh(name);
      if (!weighs) continue;
      const times = inside.get(name) ?? 0;
      inside.set(name, times + 1);
      if (times === 0) weight += weighs;
    }
    const start = Math.max(0, end - size);
    if (end > size && inside.size) {
      for (const name of names[start - 1] ?? []) {
        const times = inside.get(name);
        if (times === undefined) continue;
        if (times > 1) inside.set(name, times - 1);
        else {
          inside.delete(name);
          weight -= weigh(name);
        }
      }
    }
    // What is left of sums and differences of fractions is no weight.
    if (weight > best.weight + 1e-9) best = { start, end: start + Math.min(size, names.length), weight };
  }
  return best;
}
