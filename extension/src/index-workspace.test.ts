import type { Job } from "@dhi/core/protocol";
import { type FakeRequest, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { type IndexProgress, indexWorkspace, jobSummary } from "./index-workspace.ts";
import { job, sendJson } from "./testing/answers.ts";

const never = new AbortController().signal;
const lines = (requests: readonly FakeRequest[]) => requests.map((r) => `${r.method} ${r.path}`);

/** Starts job `j1` and answers each look at it with the next of `states`, the last one for ever. */
const startJobServer = (states: Job[]) =>
  startFakeServer(({ method }, response) => {
    if (method === "POST") sendJson(response, { job: "j1" }, 202);
    else sendJson(response, (states.length > 1 ? states.shift() : states[0]) ?? {});
  });

test("reports files, then embeddings, until the job has ended", async () => {
  const end = job({
    state: "done",
    files: 1_200,
    filesTotal: 1_200,
    chunks: 5_000,
    embedded: 5_000,
    chunksTotal: 5_000,
  });
  await using server = await startJobServer([
    job(),
    job({ files: 600, filesTotal: 1_200, etaMs: 4_200 }),
    job({ files: 1_200, filesTotal: 1_200, embedded: 2_500, chunksTotal: 5_000, etaMs: 100_000 }),
    end,
  ]);
  const seen: IndexProgress[] = [];
  const ended = await indexWorkspace({ url: server.url, token: "" }, (p) => seen.push(p), never, 1);
  expect(ended).toEqual(end);
  expect(seen).toEqual([
    { percent: 0, message: "0 of 0 files" },
    { percent: 25, message: "600 of 1,200 files, 5 s left" },
    { percent: 75, message: "embedded 2,500 of 5,000 chunks, 2 min left" },
  ]);
  expect(server.requests[0]).toEqual({ method: "POST", path: "/index-dir", body: { dir_path: "." } });
});

test("never goes back, whatever the server finds on the way", async () => {
  await using server = await startJobServer([
    job({ files: 90, filesTotal: 100 }),
    job({ files: 90, filesTotal: 1_000 }),
    job({ state: "done" }),
  ]);
  const seen: number[] = [];
  await indexWorkspace({ url: server.url, token: "" }, ({ percent }) => seen.push(percent), never, 1);
  expect(seen).toEqual([45, 45]);
});

test("tells the server to stop when it is cancelled", async () => {
  await using server = await startJobServer([job({ files: 1, filesTotal: 100 })]);
  const cancelling = new AbortController();
  const running = indexWorkspace(
    { url: server.url, token: "" },
    () => cancelling.abort(),
    cancelling.signal,
    60_000,
  );
  await expect(running).rejects.toThrow(cancelling.signal.reason);
  expect(lines(server.requests)).toEqual(["POST /index-dir", "GET /v1/jobs/j1", "DELETE /v1/jobs/j1"]);
});

test("leaves the job alone when only following it fails", async () => {
  await using server = await startFakeServer(({ method }, response) =>
    method === "POST"
      ? sendJson(response, { job: "j1" }, 202)
      : sendJson(response, { error: { code: "not_found", message: "no job j1" } }, 404),
  );
  await expect(indexWorkspace({ url: server.url, token: "" }, () => {}, never, 1)).rejects.toThrow(
    "no job j1",
  );
  expect(lines(server.requests)).toEqual(["POST /index-dir", "GET /v1/jobs/j1"]);
});

test.each<[Partial<Job>, string]>([
  [{ state: "done", files: 1_200, chunksTotal: 1 }, "Dhi indexed 1,200 files (1 chunk)."],
  [{ state: "failed", error: "disk full" }, "Dhi: indexing failed: disk full"],
  [{ state: "failed" }, "Dhi: indexing failed: the server gave no reason"],
  [{ state: "cancelled" }, "Dhi: indexing was cancelled."],
])("a job that ended as %o is told as one sentence", (changed, sentence) => {
  expect(jobSummary(job(changed))).toBe(sentence);
});
