/** The part of a text that says most about what is looked for. */
import type { Hit } from "./wanted-names.ts";

export interface LineWindow {
  /** Index of the first line, and of the line after the last. */
  readonly start: number;
  readonly end: number;
  /** Sum over the different names in it, each once; 0 when it has none that counts. */
  readonly weight: number;
}

/**
 * @param lines of the text
 * @param hits in the order of the lines
 * @returns of the stretches of `size` lines the first that weighs most, or all lines when there are fewer
 */
export function heaviestWindow(lines: number, hits: readonly Hit[], size: number): LineWindow {
  const inside = new Map<number, number>();
  let weight = 0;
  let best: LineWindow = { start: 0, end: Math.min(size, lines), weight: 0 };
  let left = 0;
  for (let right = 0; right < hits.length; ) {
    // Nothing weighs more than before but at a line with a hit.
    const { line } = hits[right] ?? NO_HIT;
    for (let hit = hits[right]; hit?.line === line; hit = hits[++right]) {
      const times = inside.get(hit.key) ?? 0;
      inside.set(hit.key, times + 1);
      if (times === 0) weight += hit.weight;
    }
    const start = Math.max(0, line + 1 - size);
    for (let hit = hits[left]; hit && hit.line < start; hit = hits[++left]) {
      const times = inside.get(hit.key) ?? 0;
      inside.set(hit.key, times - 1);
      if (times === 1) weight -= hit.weight;
    }
    // What is left of sums and differences of fractions is no weight.
    if (weight > best.weight + 1e-9) best = { start, end: start + Math.min(size, lines), weight };
  }
  return best;
}

const NO_HIT: Hit = { line: 0, key: 0, weight: 0 };
