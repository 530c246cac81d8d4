/** The internal API, for the server alone: routes, validation, errors → status. */
import { type AskedPlace, chooseWorkspace } from "@dhi/core/choose-workspace";
import { HttpError } from "@dhi/core/http-error";
import { type GuardOptions, refuseForeign } from "@dhi/core/http-guard";
import type { Logger } from "@dhi/core/log";
import {
  BODY_LIMIT_BYTES,
  documentRequest,
  type ExplainResponse,
  explainRequest,
  indexDirRequest,
  indexRequest,
} from "@dhi/core/protocol";
import { inRequest, REQUEST_ID, requestIdOf } from "@dhi/core/request-context";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { z } from "zod";
import type { Completing } from "./completing.ts";
import { toHttpError } from "./http-error.ts";
import type { Indexer } from "./indexer.ts";
import type { KeptWorkspace } from "./keep-open.ts";

export interface AppDeps {
  readonly workspaces: readonly KeptWorkspace[];
  readonly completing: Completing;
  readonly guard: GuardOptions;
  readonly log: Pick<Logger, "error">;
}

const { workspace, file_path, content, language } = indexRequest.shape;
const indexBody = z.object({ workspace, path: file_path, content, language });
const syncBody = z.object({ workspace, path: indexDirRequest.shape.dir_path }).prefault({});

/** A body of JSON grows when it is escaped; the server has already held its client to the limit. */
const BODY_LIMIT = 2 * BODY_LIMIT_BYTES;

export function createApp({ workspaces, completing, guard, log }: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use((request, _response, next) => {
    const refusal = refuseForeign(request, guard);
    next(refusal && new HttpError(refusal.status, refusal.code, refusal.message, refusal.hint));
  });
  app.use(express.json({ limit: BODY_LIMIT, type: () => true, strict: false }));
  // The server's: what a request of an editor causes here is logged with its id as well.
  app.use((request, _response, next) => inRequest({ id: requestIdOf(request.headers[REQUEST_ID]) }, next));

  /** @throws {HttpError} as {@link chooseWorkspace}, and 503 for a workspace that is not open */
  function at(asked: AskedPlace): { readonly indexer: Indexer; readonly path: string } {
    const { workspace, path } = chooseWorkspace(workspaces, asked);
    return { indexer: workspace.indexer(), path };
  }

  app.post("/index", async (request, response) => {
    const body = indexBody.parse(request.body);
    const { indexer, path } = at(body);
    response.json(await indexer.indexNow(path, body.content, body.language));
  });

  app.post("/documents", async (request, response) => {
    const { version, content, sessionId, languageId, ...asked } = documentRequest.parse(request.body);
    const { indexer, path } = at(asked);
    response.json(
      version === undefined || content === undefined || asked.closed
        ? indexer.documents.close(path, sessionId)
        : await indexer.documents.put({ path, sessionId, version, content, languageId }),
    );
  });

  app.post("/busy", (_request, response) => {
    completing.note();
    response.json({});
  });

  app.post("/sync", (request, response) => {
    const { indexer, path } = at(syncBody.parse(request.body));
    response.status(202).json({ job: indexer.startJob(path) });
  });

  app.get("/jobs/:id", (request, response) => {
    response.json(jobOf(request.params.id));
  });

  app.delete("/jobs/:id", (request, response) => {
    for (const indexer of indexers()) indexer.cancelJob(request.params.id);
    response.json(jobOf(request.params.id));
  });

  app.get("/explain", async (request, response) => {
    const { indexer, path } = at(explainRequest.parse(request.query));
    response.json({ path: path || ".", ...(await indexer.explain(path)) } satisfies ExplainResponse);
  });

  app.get("/status", (_request, response) => {
    response.json({ workspaces: workspaces.map((workspace) => workspace.status()) });
  });

  app.get("/health", (_request, response) => {
    const statuses = workspaces.map((workspace) => workspace.status());
    const failed = statuses.filter(({ state }) => state === "failed");
    const [first] = statuses.filter(({ state }) => state !== "failed");
    const detail = failed.map(({ workspace, error }) => `${workspace}: ${error}`).join("; ");
    response.status(first ? 200 : 503).json({ status: first?.state ?? "failed", ...(detail && { detail }) });
  });

  /** Of the workspaces that are open. */
  const indexers = (): Indexer[] =>
    workspaces.flatMap((workspace) => (workspace.failure() === undefined ? workspace.indexer() : []));

  /** Ids are unique beyond workspaces. */
  function jobOf(id: string) {
    for (const indexer of indexers()) {
      const job = indexer.job(id);
      if (job) return job;
    }
    throw new HttpError(404, "no_such_job", `no job "${id}"`, "Jobs end with the indexer's process.");
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
