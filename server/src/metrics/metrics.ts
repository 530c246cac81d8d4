/** Figures for Prometheus: how long requests take, what becomes of them, and how the parts are. No paths, no code, no names. */
import { type EngineName, engineName, type FimDone } from "@dhi/core/protocol";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { STEPS } from "../degrade/ladder.ts";
import type { Queue } from "../generation/queue.ts";
import { toHttpError } from "../http-error.ts";
import type { IndexerClient } from "../indexer-client.ts";
import type { RunningConfig } from "../model/running-config.ts";

export interface Metrics {
  answered(done: FimDone): void;
  /** A request that got no answer. */
  failed(error: unknown): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
  close(): void;
}

export interface MetricsDeps {
  readonly running: Pick<RunningConfig, "now">;
  readonly queue: (engine: { readonly name: EngineName }) => Pick<Queue, "running" | "waiting">;
  readonly indexer: Pick<IndexerClient, "status">;
}

/** Seconds, from a cache hit to a cold model. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Prometheus gives up after 10 s; without the indexer the rest is told. */
const INDEXER_MS = 1_000;

export function createMetrics({ running, queue, indexer }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const hops = new Histogram({
    ...{ name: "dhi_hop_seconds", help: "Time of a completion by hop; total is all of it", registers },
    ...{ labelNames: ["hop", "engine", "mode"], buckets: BUCKETS },
  });
  const completions = new Counter({
    ...{ name: "dhi_completions_total", help: "Answers; reason is ok or why nothing is shown", registers },
    labelNames: ["reason", "engine", "mode", "reuse"],
  });
  const failures = new Counter({
    ...{
      name: "dhi_failures_total",
      help: "Requests without an answer, by error code or cancelled",
      registers,
    },
    labelNames: ["code"],
  });
  const tokens = new Counter({
    ...{ name: "dhi_tokens_total", help: "As the engine counts; cached ones are part of prompt", registers },
    labelNames: ["kind", "engine"],
  });
  new Gauge({
    ...{
      name: "dhi_degrade_step",
      help: `How much less is asked of the engine: 0 ${STEPS[0]} to ${STEPS.length - 1} ${STEPS.at(-1)}`,
    },
    ...{ labelNames: ["engine"], registers },
    collect() {
      this.reset();
      const { engine, degrade } = running.now;
      this.set({ engine: engine.name }, STEPS.indexOf(degrade.now.now));
    },
  });
  new Gauge({
    ...{ name: "dhi_calls", help: "Calls of an engine now", labelNames: ["engine", "state"], registers },
    collect() {
      for (const name of engineName.options) {
        const { running: inEngine, waiting } = queue({ name });
        this.set({ engine: name, state: "running" }, inEngine);
        this.set({ engine: name, state: "waiting" }, waiting);
      }
    },
  });
  new Gauge({
    ...{ name: "dhi_index", help: "Of all workspaces; missing while the indexer does not answer" },
    ...{ labelNames: ["of"], registers },
    async collect() {
      this.reset();
      const statuses = await indexer.status(AbortSignal.timeout(INDEXER_MS)).catch(() => []);
      for (const of of ["files", "chunks", "symbols", "pendingEmbeddings"] as const)
        if (statuses.length)
          this.set(
            { of },
            statuses.reduce((sum, status) => sum + status[of], 0),
          );
    },
  });

  return {
    answered({ engine, mode, reason, reuse, timings, usage }) {
      completions.inc({ reason, engine, mode, reuse });
      for (const [hop, ms] of Object.entries(timings))
        if (ms !== null) hops.observe({ hop, engine, mode }, ms / 1_000);
      // What a call for an earlier request cost was counted with that.
      if (reuse !== "none") return;
      tokens.inc({ kind: "prompt", engine }, usage.promptTokens ?? 0);
      tokens.inc({ kind: "cached", engine }, usage.cachedTokens ?? 0);
      tokens.inc({ kind: "completion", engine }, usage.completionTokens ?? 0);
    },
    failed: (error) => failures.inc({ code: toHttpError(error)?.code ?? "cancelled" }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  };
}
