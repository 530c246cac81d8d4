import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileRow } from "./index-store.ts";
import { createJobs } from "./jobs.ts";
import type { VectorProgress } from "./vectors/vector-sync.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const row: FileRow = { path: "a", blob: "b", language: "x", bytes: 1, changedMs: 1, skip: null };

/** A job whose files have two chunks each; vectors take 10 ms each. */
function startJob(files: number) {
  let embedded = 0;
  let chunks = 0;
  let isDown = false;
  const jobs = createJobs({
    chunkCount: () => 2,
    vectors: (more): VectorProgress => ({
      embedded,
      chunksTotal: chunks + more,
      etaMs: isDown ? null : (chunks + more - embedded) * 10,
    }),
  });
  const job = jobs.start();
  job.progress.onStart(files, 0);
  return {
    job,
    read(n: number, ms: number) {
      for (let i = 0; i < n; i++) {
        vi.advanceTimersByTime(ms);
        chunks += 2;
        job.progress.onFile(row);
      }
    },
    embed: (n: number) => (embedded += n),
    goDown: () => (isDown = true),
    now: () => jobs.get(job.id),
  };
}

test("says nothing of the time left before twenty files, then what files and vectors will take", () => {
  const { read, now } = startJob(100);
  read(19, 5);
  expect(now()).toMatchObject({ state: "running", files: 19, chunks: 38, etaMs: null });
  read(31, 5);
  // 50 files of 5 ms, and 200 chunks of 10 ms, of which half are still to be read.
  expect(now()).toMatchObject({ files: 50, chunksTotal: 200, etaMs: 50 * 5 + 200 * 10 });
});

test("goes by what lately took how long", () => {
  const { read, now, goDown } = startJob(1_000);
  goDown();
  read(100, 10);
  expect(now()?.etaMs).toBe(900 * 10);
  read(400, 200);
  expect(now()?.etaMs).toBe(500 * 200);
});

test("a job that is done still tells how far its vectors are", () => {
  const { job, read, embed, now } = startJob(30);
  read(30, 1);
  job.finish();
  expect(now()).toMatchObject({ state: "done", embedded: 0, chunksTotal: 60, etaMs: 600 });
  embed(60);
  expect(now()).toMatchObject({ state: "done", embedded: 60, chunksTotal: 60, etaMs: 0 });
});

test("one that failed or was cancelled stays as it was", () => {
  const { job, read, embed, now } = startJob(30);
  read(25, 1);
  embed(10);
  job.finish(new Error("no"));
  embed(10);
  expect(now()).toMatchObject({ state: "failed", error: "no", embedded: 10, etaMs: null });
});
