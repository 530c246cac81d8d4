/** Indexes whole workspaces: starts a job at the server for each, follows it, and cancels it with the caller. */
import { wait } from "@dhi/client/wait";
import type { Job } from "@dhi/core/protocol";
import type { IndexTarget } from "./index-plan.ts";
import { t } from "./l10n.ts";
import { callForJson, callServer, type Server, ServerRefused } from "./server.ts";
import { count } from "./status.ts";

export interface IndexProgress {
  /** Of the whole job, 0 to 100, never falling. */
  readonly percent: number;
  readonly message: string;
}

/** Often enough for a progress bar, rare enough to cost nothing. */
const POLL_MS = 250;

/** How one target ended: as a job, or refused by the server. */
export interface IndexResult {
  readonly target: IndexTarget;
  /** `done`, `failed` with its error, or `cancelled` by someone else. */
  readonly job: Job;
}

/**
 * One target after the other; of several, one that the server refuses does not keep the others from being indexed.
 *
 * @throws the signal's reason once it fires, after the server was told to stop
 * @throws as `callServer` does, but for a refusal of one of several
 */
export async function indexWorkspace(
  server: Server,
  targets: readonly IndexTarget[],
  report: (progress: IndexProgress) => void,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<IndexResult[]> {
  const results: IndexResult[] = [];
  for (const target of targets) {
    const inAll = ({ percent, message }: IndexProgress) =>
      report({
        percent: Math.round((100 * results.length + percent) / targets.length),
        message: target.workspace === undefined ? message : `${target.workspace}: ${message}`,
      });
    const job = await indexTarget(server, target, inAll, signal, pollMs).catch((error: unknown) => {
      if (error instanceof ServerRefused && targets.length > 1) return refusedJob(error);
      throw error;
    });
    results.push({ target, job });
  }
  return results;
}

async function indexTarget(
  server: Server,
  { workspace, folder }: IndexTarget,
  report: (progress: IndexProgress) => void,
  signal: AbortSignal,
  pollMs: number,
): Promise<Job> {
  const body = { ...(workspace !== undefined && { workspace }), dir_path: folder };
  const start = { method: "POST", path: "/index-dir", body } as const;
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

/**
 * @param notServed names of open folders that were left out
 * @returns what became of everything, for the notification at the end
 */
export function indexSummary(results: readonly IndexResult[], notServed: readonly string[]): string {
  const done = results.filter(({ job }) => job.state === "done").map(indexedPart);
  if (!results.length && !notServed.length) return t("Dhi: open a folder that the server serves first.");
  return [
    ...(done.length ? [t("Dhi indexed {0}.", done.join("; "))] : []),
    ...results.filter(({ job }) => job.state !== "done").map(failedSentence),
    ...(notServed.length ? [t("The server does not serve {0}.", notServed.join(", "))] : []),
  ].join(" ");
}

function indexedPart({ target, job }: IndexResult): string {
  const name = target.workspace === undefined ? "" : `${target.workspace}: `;
  return `${name}${count(job.files, "file")} (${count(job.chunksTotal, "chunk")})`;
}

function failedSentence({ target, job }: IndexResult): string {
  const what = target.workspace === undefined ? t("indexing") : t("indexing {0}", target.workspace);
  return job.state === "cancelled"
    ? t("Dhi: {0} was cancelled.", what)
    : t("Dhi: {0} failed: {1}", what, job.error ?? t("the server gave no reason"));
}

const refusedJob = ({ message }: ServerRefused): Job => ({
  ...{ id: "", state: "failed", error: message, files: 0, filesTotal: 0 },
  ...{ chunks: 0, embedded: 0, chunksTotal: 0, etaMs: null },
});

/** Reading and chunking are the first half of the bar, embedding the second. */
function percentOf({ files, filesTotal, embedded, chunksTotal }: Job): number {
  const share = (done: number, total: number) => (total > 0 ? Math.min(1, done / total) : 0);
  return Math.round(50 * share(files, filesTotal) + 50 * share(embedded, chunksTotal));
}

function progressMessage({ files, filesTotal, embedded, chunksTotal, etaMs }: Job): string {
  const progress =
    files < filesTotal || !chunksTotal
      ? t("{0} of {1}", files.toLocaleString("en-US"), count(filesTotal, "file"))
      : t("embedded {0} of {1}", embedded.toLocaleString("en-US"), count(chunksTotal, "chunk"));
  return etaMs === null ? progress : t("{0}, {1} left", progress, duration(etaMs));
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? t("{0} s", seconds) : t("{0} min", Math.ceil(seconds / 60));
}

/** The caller has left already: whether the server heard it is the last thing to be done about it. */
async function cancel(server: Server, path: string): Promise<void> {
  const call = callServer(server, { method: "DELETE", path }, AbortSignal.timeout(2_000));
  await call.then((answer) => answer.discard()).catch(() => undefined);
}
