/** The internal API, for the server alone: routes, validation, errors → status. */
import { HttpError } from "@dhi/core/http-error";
import { type GuardOptions, refuseForeign } from "@dhi/core/http-guard";
import type { Logger } from "@dhi/core/log";
import { BODY_LIMIT_BYTES, indexDirRequest, indexRequest } from "@dhi/core/protocol";
import { toWorkspacePath } from "@dhi/core/workspace-path";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { z } from "zod";
import { toHttpError } from "./http-error.ts";
import type { Indexer } from "./indexer.ts";

export interface AppDeps {
  readonly indexer: Indexer;
  /** Absolute forms of the workspace: as configured, and without symbolic links. */
  readonly roots: readonly string[];
  readonly guard: GuardOptions;
  readonly log: Pick<Logger, "error">;
}

const { file_path, content, language } = indexRequest.shape;
const indexBody = z.object({ path: file_path, content, language });
const syncBody = z.object({ path: indexDirRequest.shape.dir_path }).prefault({});
const explainQuery = z.object({ path: file_path });

/** A body of JSON grows when it is escaped; the server has already held its client to the limit. */
const BODY_LIMIT = 2 * BODY_LIMIT_BYTES;

export function createApp({ indexer, roots, guard, log }: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use((request, _response, next) => {
    const refusal = refuseForeign(request, guard);
    next(refusal && new HttpError(refusal.status, refusal.code, refusal.message, refusal.hint));
  });
  app.use(express.json({ limit: BODY_LIMIT, type: () => true, strict: false }));

  /** @throws {HttpError} 400 when the path lies outside the workspace */
  function inWorkspace(path: string): string {
    for (const root of roots) {
      const relative = toWorkspacePath(root, path);
      if (relative !== undefined) return relative;
    }
    throw new HttpError(400, "outside_workspace", `path: "${path}" lies outside the workspace`);
  }

  app.post("/index", async (request, response) => {
    const body = indexBody.parse(request.body);
    response.json(await indexer.indexNow(inWorkspace(body.path), body.content, body.language));
  });

  app.post("/sync", (request, response) => {
    const { path } = syncBody.parse(request.body);
    response.status(202).json({ job: indexer.startJob(inWorkspace(path)) });
  });

  app.get("/jobs/:id", (request, response) => {
    response.json(jobOf(request.params.id));
  });

  app.delete("/jobs/:id", (request, response) => {
    indexer.cancelJob(request.params.id);
    response.json(jobOf(request.params.id));
  });

  app.get("/explain", async (request, response) => {
    const path = inWorkspace(explainQuery.parse(request.query).path);
    response.json({ path, ...(await indexer.explain(path)) });
  });

  app.get("/status", (_request, response) => {
    response.json(indexer.status());
  });

  app.get("/health", (_request, response) => {
    const { state, error } = indexer.status();
    response.status(state === "failed" ? 503 : 200).json({ status: state, ...(error && { detail: error }) });
  });

  function jobOf(id: string) {
    const job = indexer.job(id);
    if (!job)
      throw new HttpError(404, "no_such_job", `no job "${id}"`, "Jobs end with the indexer's process.");
    return job;
  }

  app.use((request) => {
    throw new HttpError(404, "not_found", `no ${request.method} ${request.path} here`);
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const problem = toHttpError(error);
    if (problem.status >= 500) log.error({ error }, problem.message);
    if (response.headersSent) response.destroy();
    else response.status(problem.status).json(problem.body());
  });
  return app;
}
