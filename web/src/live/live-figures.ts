/** What `/metrics` says, and how the last minutes went: asked again and again while the view shows. */
import { signal } from "@preact/signals";
import { response, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import {
  type Histogram,
  histogramOf,
  observations,
  parseMetrics,
  quantile,
  type Sample,
  since,
} from "./prometheus.ts";

/** Requests of some seconds. */
export interface Moment {
  readonly requests: number;
  /** Median of their time, in milliseconds; `undefined` without one. */
  readonly medianMs: number | undefined;
}

export const samples = signal<readonly Sample[] | undefined>(undefined);
/** The latest last. */
export const moments = signal<readonly Moment[]>([]);

export const EVERY_MS = 3_000;
/** Six minutes. */
export const KEPT = 120;

let before: { readonly total: Histogram; readonly atMs: number } | undefined;

/** @returns what ends it */
export const watchFigures = (): (() => void) => poll(refresh, EVERY_MS);

async function refresh(signal: AbortSignal): Promise<void> {
  try {
    const now = parseMetrics(await (await response("/metrics", { signal })).text());
    const total = histogramOf(now, "dhi_hop_seconds", { hop: "total" });
    const atMs = performance.now();
    // What came while nobody looked, in another view or behind another window, was no moment.
    if (before && atMs - before.atMs > 3 * EVERY_MS) moments.value = [];
    else if (before) {
      const between = since(before.total, total);
      const median = quantile(between, 0.5);
      const moment = {
        requests: observations(between),
        medianMs: median === undefined ? undefined : median * 1_000,
      };
      moments.value = [...moments.value, moment].slice(-KEPT);
    }
    before = { total, atMs };
    samples.value = now;
  } catch (error) {
    // The header says when the server is away.
    if (!signal.aborted && !(error instanceof ServerProblem)) throw error;
  }
}
