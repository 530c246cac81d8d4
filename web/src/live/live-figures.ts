/** What `/metrics` says, and how the last minutes went: asked again and again, whichever view shows. */
import { signal } from "@preact/signals";
import { response, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import { tokenWanted } from "../server/token.ts";
import {
  type Histogram,
  histogramOf,
  observations,
  parseMetrics,
  quantile,
  type Sample,
  since,
} from "./prometheus.ts";

/** In the order in which a completion goes through them; `total` is all of it. */
export const hops = ["queue", "retrieval", "prompt", "firstToken", "engine", "postprocess", "total"] as const;
export type Hop = (typeof hops)[number];

/** Requests of some seconds. */
export interface Moment {
  readonly requests: number;
  /** How long they took, in milliseconds; without the hops that none of them had. */
  readonly times: ReadonlyMap<Hop, { readonly p50: number; readonly p95: number }>;
}

export const samples = signal<readonly Sample[] | undefined>(undefined);
/** The latest last. */
export const moments = signal<readonly Moment[]>([]);

export const EVERY_MS = 3_000;
/** Six minutes. */
export const KEPT = 120;

let before: { readonly times: ReadonlyMap<Hop, Histogram>; readonly atMs: number } | undefined;

/** @returns what ends it */
export const watchFigures = (): (() => void) => poll(refresh, EVERY_MS);

async function refresh(signal: AbortSignal): Promise<void> {
  // Asking in vain would only fill the server's log.
  if (tokenWanted.peek()) return;
  try {
    const now = parseMetrics(await (await response("/metrics", { signal })).text());
    const times = new Map(hops.map((hop) => [hop, histogramOf(now, "dhi_hop_seconds", { hop })]));
    const atMs = performance.now();
    // What came while nobody looked, behind another window, was no moment.
    if (before && atMs - before.atMs > 3 * EVERY_MS) moments.value = [];
    else if (before) moments.value = [...moments.value, momentOf(before.times, times)].slice(-KEPT);
    before = { times, atMs };
    samples.value = now;
  } catch (error) {
    // The header says when the server is away.
    if (!signal.aborted && !(error instanceof ServerProblem)) throw error;
  }
}

function momentOf(earlier: ReadonlyMap<Hop, Histogram>, now: ReadonlyMap<Hop, Histogram>): Moment {
  const between = new Map(
    [...now].map(([hop, histogram]) => [hop, since(earlier.get(hop) ?? [], histogram)]),
  );
  const times: Map<Hop, { p50: number; p95: number }> = new Map();
  for (const [hop, histogram] of between) {
    const [p50, p95] = [quantile(histogram, 0.5), quantile(histogram, 0.95)];
    if (p50 !== undefined && p95 !== undefined) times.set(hop, { p50: p50 * 1_000, p95: p95 * 1_000 });
  }
  return { requests: observations(between.get("total") ?? []), times };
}
