/** Progress of the syncs that someone asked for, kept for a while after they end. */
import { randomUUID } from "node:crypto";
import type { Job } from "@dhi/core/protocol";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import type { FileRow } from "./index-store.ts";
import type { SyncProgress } from "./sync.ts";
import { createRate, type Rate } from "./vectors/rate.ts";
import type { VectorProgress } from "./vectors/vector-sync.ts";

export interface RunningJob {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly progress: SyncProgress;
  finish(error?: unknown): void;
}

export interface Jobs {
  start(): RunningJob;
  get(id: string): Job | undefined;
  /** A job that has ended stays as it is. */
  cancel(id: string): void;
  cancelAll(): void;
  newest(): Job | null;
}

export interface JobsDeps {
  readonly chunkCount: (row: FileRow) => number;
  /** @param more chunks that are still to come, as far as one can tell */
  readonly vectors: (more: number) => VectorProgress;
}

interface Entry {
  job: Job;
  readonly abort: AbortController;
  /** Files that the job itself looked into. */
  seen: number;
  readonly rate: Rate;
}

const KEPT = 50;
/** Before this many files the rate is noise. */
const ETA_AFTER_FILES = 20;

export function createJobs({ chunkCount, vectors }: JobsDeps): Jobs {
  const jobs = new Map<string, Entry>();

  function start(): RunningJob {
    const id = randomUUID();
    const abort = new AbortController();
    const entry: Entry = {
      job: {
        id,
        state: "running",
        files: 0,
        filesTotal: 0,
        chunks: 0,
        etaMs: null,
        embedded: 0,
        chunksTotal: 0,
      },
      abort,
      seen: 0,
      rate: createRate(),
    };
    jobs.set(id, entry);
    for (const old of jobs.keys())
      if (jobs.size > KEPT && jobs.get(old)?.job.state !== "running") jobs.delete(old);

    let lastAt = 0;
    const update = (change: Partial<Job>) => {
      entry.job = { ...entry.job, ...change };
    };
    return {
      id,
      signal: abort.signal,
      progress: {
        onStart(filesTotal, unchanged) {
          lastAt = performance.now();
          update({ filesTotal, files: unchanged });
        },
        onFile(row) {
          const now = performance.now();
          entry.seen++;
          entry.rate.note(1, now - lastAt);
          lastAt = now;
          update({ files: entry.job.files + 1, chunks: entry.job.chunks + chunkCount(row) });
        },
      },
      finish(error) {
        const { embedded, chunksTotal } = vectors(0);
        update({ embedded, chunksTotal });
        if (error === undefined) update({ state: "done" });
        else if (isAbortError(error)) update({ state: "cancelled" });
        else update({ state: "failed", error: describeError(error) });
      },
    };
  }

  function view(entry: Entry | undefined): Job | undefined {
    if (entry?.job.state === "done") return { ...entry.job, ...vectors(0) };
    if (entry?.job.state !== "running") return entry?.job;
    const { job, seen, rate } = entry;
    const left = job.filesTotal - job.files;
    const { etaMs, ...progress } = vectors(seen ? left * (job.chunks / seen) : 0);
    const perFile = seen < ETA_AFTER_FILES ? undefined : rate.perItem();
    // Of vectors nothing is known before the first.
    return {
      ...job,
      ...progress,
      etaMs: perFile === undefined ? null : Math.round(left * perFile + (etaMs ?? 0)),
    };
  }

  return {
    start,
    get: (id) => view(jobs.get(id)),
    cancel: (id) => jobs.get(id)?.abort.abort(),
    cancelAll() {
      for (const { abort } of jobs.values()) abort.abort();
    },
    newest: () => view([...jobs.values()].at(-1)) ?? null,
  };
}
