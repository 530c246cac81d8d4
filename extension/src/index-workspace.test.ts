import type { Job } from "@dhi/core/protocol";
import { type FakeRequest, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { type IndexProgress, indexSummary, indexWorkspace } from "./index-workspace.ts";
import { job, sendJson } from "./testing/answers.ts";

const all = { folder: "." };
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
  const ended = await indexWorkspace({ url: server.url, token: "" }, [all], (p) => seen.push(p), never, 1);
  expect(ended).toEqual([{ target: all, job: end }]);
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
  await indexWorkspace({ url: server.url, token: "" }, [all], ({ percent }) => seen.push(percent), never, 1);
  expect(seen).toEqual([45, 45]);
});

test("tells the server to stop when it is cancelled", async () => {
  await using server = await startJobServer([job({ files: 1, filesTotal: 100 })]);
  const cancelling = new AbortController();
  const running = indexWorkspace(
    { url: server.url, token: "" },
    [all],
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
  await expect(indexWorkspace({ url: server.url, token: "" }, [all], () => {}, never, 1)).rejects.toThrow(
    "no job j1",
  );
  expect(lines(server.requests)).toEqual(["POST /index-dir", "GET /v1/jobs/j1"]);
});

test("indexes one workspace after the other, and goes on after one that is refused", async () => {
  const states = [job({ files: 1, filesTotal: 2 }), job({ state: "done" })];
  await using server = await startFakeServer(({ method, body }, response) => {
    const { workspace } = (body ?? {}) as { workspace?: string };
    if (workspace === "docs")
      sendJson(response, { error: { code: "workspace_failed", message: "docs is not open" } }, 503);
    else if (method === "POST") sendJson(response, { job: "j1" }, 202);
    else sendJson(response, states.shift() ?? {});
  });
  const seen: IndexProgress[] = [];
  const targets = [
    { workspace: "docs", folder: "." },
    { workspace: "shop", folder: "web" },
  ];
  const results = await indexWorkspace(
    { url: server.url, token: "" },
    targets,
    (p) => seen.push(p),
    never,
    1,
  );
  expect(results.map(({ target, job: { state, error } }) => [target, state, error])).toEqual([
    [targets[0], "failed", "docs is not open"],
    [targets[1], "done", undefined],
  ]);
  expect(seen).toEqual([{ percent: 63, message: "shop: 1 of 2 files" }]);
  expect(server.requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { workspace: "docs", dir_path: "." },
    { workspace: "shop", dir_path: "web" },
  ]);
});

test.each<[Partial<Job>, string]>([
  [{ state: "done", files: 1_200, chunksTotal: 1 }, "Dhi indexed 1,200 files (1 chunk)."],
  [{ state: "failed", error: "disk full" }, "Dhi: indexing failed: disk full"],
  [{ state: "failed" }, "Dhi: indexing failed: the server gave no reason"],
  [{ state: "cancelled" }, "Dhi: indexing was cancelled."],
])("a job that ended as %o is told as one sentence", (changed, sentence) => {
  expect(indexSummary([{ target: all, job: job(changed) }], [])).toBe(sentence);
});

test("several jobs are told together, with the folders that are not served", () => {
  const ended = (workspace: string, changed: Partial<Job>) => ({
    target: { workspace, folder: "." },
    job: job(changed),
  });
  const results = [
    ended("shop", { state: "done", files: 12, chunksTotal: 30 }),
    ended("docs", { state: "failed", error: "disk full" }),
    ended("api", { state: "done", files: 1, chunksTotal: 1 }),
  ];
  expect(indexSummary(results, ["old", "notes"])).toBe(
    "Dhi indexed shop: 12 files (30 chunks); api: 1 file (1 chunk). Dhi: indexing docs failed: disk full " +
      "The server does not serve old, notes.",
  );
  expect(indexSummary([], ["old"])).toBe("The server does not serve old.");
  expect(indexSummary([], [])).toBe("Dhi: open a folder that the server serves first.");
});
