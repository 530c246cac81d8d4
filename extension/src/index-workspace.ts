/** Indexes the whole workspace: starts a job at the server, follows it, and cancels it with the caller. */
import type { Job } from "@dhi/core/protocol";
import { callForJson, callServer, type Server } from "./server.ts";
import { count } from "./status.ts";
import { wait } from "./wait.ts";

export interface IndexProgress {
  /** Of the whole job, 0 to 100, never falling. */
  readonly percent: number;
  readonly message: string;
}

/** Often enough for a progress bar, rare enough to cost nothing. */
const POLL_MS = 250;

/**
 * @returns the job as it ended: `done`, `failed` with its error, or `cancelled` by someone else
 * @throws the signal's reason once it fires, after the server was told to stop
 * @throws as `callServer` does
 */
export async function indexWorkspace(
  server: Server,
  report: (progress: IndexProgress) => void,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<Job> {
  const start = { method: "POST", path: "/index-dir", body: { dir_path: "." } } as const;
  const { job: id } = await callForJson<{ job: string }>(server, start, signal);
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  try {
    let percent = 0;
    for (;;) {
      const job = await callForJson<Job>(server, { method: "GET", path }, signal);
      if (job.state !== "running") return job;
      percent = Math.max(percent, percentOf(job));
      report({ percent, message: progressMessage(job) });
      await wait(pollMs, signal);
    }
  } catch (error) {
    if (signal.aborted) await cancel(server, path);
    throw error;
  }
}

/** @returns one sentence for the notification at the end */
export function jobSummary(job: Job): string {
  if (job.state === "done")
    return `Dhi indexed ${count(job.files, "file")} (${count(job.chunksTotal, "chunk")}).`;
  if (job.state === "cancelled") return "Dhi: indexing was cancelled.";
  return `Dhi: indexing failed: ${job.error ?? "the server gave no reason"}`;
}

/** Reading and chunking are the first half of the bar, embedding the second. */
function percentOf({ files, filesTotal, embedded, chunksTotal }: Job): number {
  const share = (done: number, total: number) => (total > 0 ? Math.min(1, done / total) : 0);
  return Math.round(50 * share(files, filesTotal) + 50 * share(embedded, chunksTotal));
}

function progressMessage({ files, filesTotal, embedded, chunksTotal, etaMs }: Job): string {
  const left = etaMs === null ? "" : `, ${duration(etaMs)} left`;
  const progress = (done: number, total: number, noun: string) =>
    `${done.toLocaleString("en-US")} of ${count(total, noun)}${left}`;
  return files < filesTotal || !chunksTotal
    ? progress(files, filesTotal, "file")
    : `embedded ${progress(embedded, chunksTotal, "chunk")}`;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The caller has left already: whether the server heard it is the last thing to be done about it. */
async function cancel(server: Server, path: string): Promise<void> {
  await callServer(server, { method: "DELETE", path }, AbortSignal.timeout(2_000)).catch(() => undefined);
}
