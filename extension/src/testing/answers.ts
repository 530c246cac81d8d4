/** What a fake Dhi server answers. */
import type { ServerResponse } from "node:http";
import { done } from "@dhi/client/testing/fake-completions";
import type { IndexerStatus, Job, StatusResponse } from "@dhi/core/protocol";
import type { FakeRequest } from "@dhi/core/testing/fake-server";

export { done };

/** Answers every request with one completion, its text streamed first. */
export const answering =
  (completion: string, reason?: string) => (_: FakeRequest, response: ServerResponse) => {
    if (completion) sendEvent(response, { text: completion });
    sendEvent(response, done(completion, reason));
    response.end();
  };

export function sendEvent(response: ServerResponse, event: object): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

export const job = (changed: Partial<Job> = {}): Job => ({
  id: "j1",
  state: "running",
  files: 0,
  filesTotal: 0,
  chunks: 0,
  embedded: 0,
  chunksTotal: 0,
  etaMs: null,
  ...changed,
});

/** Of a server with one workspace. */
export const serverStatus = (indexer: Partial<IndexerStatus> = {}): StatusResponse =>
  statusOf([{ name: "shop", path: "/code/shop", indexer: indexStatus(indexer) }]);

export const statusOf = (workspaces: StatusResponse["workspaces"]): StatusResponse => ({
  version: "0.1.0",
  startedAt: "2026-01-02T03:04:05.678Z",
  workspaces,
  engine: { name: "ollama", model: "qwen2.5-coder:1.5b-base", format: "qwen", detail: "", step: "full" },
  mode: "rag",
  indexer: workspaces[0]?.indexer ?? null,
  requests: { completions: 0, shown: 0, drops: {} },
  lastDrops: [],
});

export const indexStatus = (changed: Partial<IndexerStatus> = {}): IndexerStatus => ({
  workspace: "shop",
  state: "watching",
  files: 120,
  chunks: 3_400,
  symbols: 900,
  skipped: {},
  embedder: { id: "hash:1", status: "ok", detail: "" },
  pendingEmbeddings: 0,
  vectors: { collection: "c", status: "ok", detail: "", stored: 3_400 },
  lastChangeAt: null,
  job: null,
  counters: { filesParsed: 0, textsEmbedded: 0 },
  ...changed,
});
