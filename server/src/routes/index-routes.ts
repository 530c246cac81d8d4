/** The index: what is in it, and what shall be. */
import {
  documentRequest,
  explainRequest,
  indexDirRequest,
  indexRequest,
  type Job,
  searchRequest,
} from "@dhi/core/protocol";
import { keepOutOfLogs } from "@dhi/core/request-context";
import { type Response, type Router, Router as router } from "express";
import { putDocument } from "../documents.ts";
import { explain } from "../explain.ts";
import type { IndexerClient } from "../indexer-client.ts";
import { search } from "../retrieval/search.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import type { Workspaces } from "../workspaces.ts";
import { parse, signalOf } from "./exchange.ts";

export interface IndexRouteDeps {
  readonly workspaces: Workspaces;
  readonly indexer: IndexerClient;
}

/** How often a job's progress is sent to those who watch it. */
const JOB_EVENT_MS = 250;

export function indexRoutes({ workspaces, indexer }: IndexRouteDeps): Router {
  const routes = router();

  routes.post("/search", async (request, response) => {
    const body = parse(searchRequest, request.body);
    const { workspace } = workspaces.placeOf({ workspace: body.workspace });
    const found = await search(body, workspace, signalOf(response));
    response.json({
      results: found.map((s) => ({
        file_path: s.path,
        start_line: s.startLine,
        end_line: s.endLine,
        language: s.language,
        node_type: s.kind,
        name: s.name,
        score: s.score,
        legs: s.legs,
        document: s.text,
      })),
    });
  });

  routes.post("/index", async (request, response) => {
    const { file_path, content, language, ...asked } = parse(indexRequest, request.body);
    const place = workspaces.fileOf({ ...asked, path: file_path, field: "file_path" });
    const file = { ...workspaces.atIndexer(place), content, language };
    response.json(await indexer.index(file, signalOf(response)));
  });
  routes.post("/v1/documents", async (request, response) => {
    const document = parse(documentRequest, request.body);
    const deps = { indexer, atIndexer: workspaces.atIndexer };
    response.json(await putDocument(workspaces.fileOf(document), document, deps, signalOf(response)));
  });
  routes.post("/index-dir", async (request, response) => {
    const { workspace, dir_path } = parse(indexDirRequest, request.body ?? {});
    const place = workspaces.placeOf({ workspace, path: dir_path, field: "dir_path" });
    const job = await indexer.sync(workspaces.atIndexer(place), signalOf(response));
    response.status(202).json({ job });
  });
  routes.get("/v1/explain", async (request, response) => {
    const asked = parse(explainRequest, request.query);
    response.json(await explain(asked, { workspaces, indexer }, signalOf(response)));
  });

  routes.get("/v1/jobs/:job", async (request, response) => {
    const signal = signalOf(response);
    keepOutOfLogs(request.params.job);
    const first = await indexer.job(request.params.job, signal);
    if (!request.accepts("json") || request.get("accept")?.includes("text/event-stream")) {
      await followJob(first, response, signal);
    } else response.json(first);
  });
  routes.delete("/v1/jobs/:job", async (request, response) => {
    keepOutOfLogs(request.params.job);
    response.json(await indexer.cancelJob(request.params.job, signalOf(response)));
  });

  async function followJob(first: Job, response: Response, signal: AbortSignal) {
    const events = serverSentEvents(response);
    for (let job = first; ; job = await indexer.job(job.id, signal)) {
      events.send(job);
      if (job.state !== "running") break;
      await new Promise((done) => setTimeout(done, JOB_EVENT_MS));
      signal.throwIfAborted();
    }
    events.end();
  }

  return routes;
}
