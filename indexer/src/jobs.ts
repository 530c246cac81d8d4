/** Progress of the syncs that someone asked for, kept for a while after they end. */
import { randomUUID } from "node:crypto";
import type { Job } from "@dhi/core/protocol";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import type { FileRow } from "./index-store.ts";
import type { SyncProgress } from "./sync.ts";

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
  /** Chunks of the index with a stored vector, of all. */
  readonly embedding: () => { readonly embedded: number; readonly chunksTotal: number };
}

const KEPT = 50;
/** Before this many files the rate is noise. */
const ETA_AFTER_FILES = 20;

export function createJobs({ chunkCount, embedding }: JobsDeps): Jobs {
  const jobs = new Map<string, { job: Job; abort: AbortController }>();

  function start(): RunningJob {
    const id = randomUUID();
    const abort = new AbortController();
    const entry = {
      job: { id, state: "running", files: 0, filesTotal: 0, chunks: 0, etaMs: null, ...embedding() } as Job,
      abort,
    };
    jobs.set(id, entry);
    for (const old of jobs.keys())
      if (jobs.size > KEPT && jobs.get(old)?.job.state !== "running") jobs.delete(old);

    let startedAt = 0;
    let done = 0;
    const update = (change: Partial<Job>) => {
      entry.job = { ...entry.job, ...change };
    };
    return {
      id,
      signal: abort.signal,
      progress: {
        onStart(filesTotal, unchanged) {
          startedAt = performance.now();
          update({ filesTotal, files: unchanged });
        },
        onFile(row) {
          done++;
          const { files, filesTotal, chunks } = entry.job;
          const left = filesTotal - files - 1;
          const perFile = (performance.now() - startedAt) / done;
          update({
            files: files + 1,
            chunks: chunks + chunkCount(row),
            etaMs: done < ETA_AFTER_FILES ? null : Math.round(perFile * left),
          });
        },
      },
      finish(error) {
        if (error === undefined) update({ state: "done", etaMs: 0, ...embedding() });
        else if (isAbortError(error)) update({ state: "cancelled", etaMs: null });
        else update({ state: "failed", etaMs: null, error: describeError(error) });
      },
    };
  }

  function view(entry: { job: Job } | undefined): Job | undefined {
    return entry?.job.state === "running" ? { ...entry.job, ...embedding() } : entry?.job;
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
