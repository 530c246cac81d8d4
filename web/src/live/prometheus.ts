/** Reads Prometheus' text format, as far as this server writes it. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** @returns what it understands; comments and lines that are cut off are left out */
export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!match) return [];
    const [, name = "", labels = "", value] = match;
    return [
      {
        name,
        labels: parseLabels(labels),
        value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
      },
    ];
  });
}

function parseLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [
      name,
      value.replace(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char)),
    ]),
  );
}

/** @returns the sum over all samples of that name whose labels have these values; 0 without one */
export const sumOf = (samples: readonly Sample[], name: string, labels: Sample["labels"] = {}): number =>
  samples
    .filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);

/** How many observations were at most `le`, for each bound, the smallest first. */
export type Histogram = readonly { readonly le: number; readonly count: number }[];

/** @returns the histogram over all samples whose labels have these values */
export function histogramOf(samples: readonly Sample[], name: string, labels: Sample["labels"]): Histogram {
  const counts = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket`) continue;
    if (!Object.entries(labels).every(([key, value]) => sample.labels[key] === value)) continue;
    const { le: bound } = sample.labels;
    const le = bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound);
    counts.set(le, (counts.get(le) ?? 0) + sample.value);
  }
  return [...counts].map(([le, count]) => ({ le, count })).sort((a, b) => a.le - b.le);
}

export const observations = (histogram: Histogram): number => histogram.at(-1)?.count ?? 0;

/** What was observed since `before`. A server that was started anew counts from nothing. */
export function since(before: Histogram, now: Histogram): Histogram {
  const earlier = new Map(before.map(({ le, count }) => [le, count]));
  const grown = now.map(({ le, count }) => ({ le, count: count - (earlier.get(le) ?? 0) }));
  return grown.some(({ count }) => count < 0) ? now : grown;
}

/**
 * As Prometheus' `histogram_quantile` has it: evenly spread within a bucket, and the last bound for what lies above it.
 *
 * @returns `undefined` without observations
 */
export function quantile(histogram: Histogram, share: number): number | undefined {
  const rank = share * observations(histogram);
  if (observations(histogram) === 0) return undefined;
  let below = { le: 0, count: 0 };
  for (const bucket of histogram) {
    if (bucket.count >= rank && bucket.count > below.count) {
      if (bucket.le === Number.POSITIVE_INFINITY) return below.le;
      return below.le + (bucket.le - below.le) * ((rank - below.count) / (bucket.count - below.count));
    }
    below = bucket;
  }
  return below.le;
}
