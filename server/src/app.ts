/** Routes, validation, errors → status, closed socket → AbortSignal. What happens behind them is elsewhere. */
import { randomUUID } from "node:crypto";
import { callersRequest, membersRequest, symbolsRequest } from "@dhi/core/graph-protocol";
import { HttpError } from "@dhi/core/http-error";
import { type GuardOptions, refuseForeign } from "@dhi/core/http-guard";
import { languageOf } from "@dhi/core/languages";
import type { Logger } from "@dhi/core/log";
import {
  BODY_LIMIT_BYTES,
  completeRequest,
  documentRequest,
  explainRequest,
  type FimDone,
  type FimRequest,
  fimRequest,
  indexDirRequest,
  indexRequest,
  type Job,
  promptRequest,
  searchRequest,
} from "@dhi/core/protocol";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { z } from "zod";
import { openapi } from "./api.ts";
import { createBusySignal } from "./busy-signal.ts";
import { type CompletionDeps, complete } from "./complete.ts";
import type { Degrade } from "./degrade/degrade.ts";
import { putDocument } from "./documents.ts";
import { dryRun } from "./dry-run.ts";
import { editorPaths } from "./editor-paths.ts";
import { explain } from "./explain.ts";
import { callersAnswer, symbolsAnswer } from "./graph/answers.ts";
import { membersAnswer } from "./graph/members-answer.ts";
import { type HealthDeps, health } from "./health.ts";
import { toHttpError } from "./http-error.ts";
import { landingPage } from "./landing-page.ts";
import type { Asked } from "./model/served-model.ts";
import type { RequestStats } from "./request-stats.ts";
import { search } from "./retrieval/search.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import type { Sessions } from "./sessions.ts";
import { type StatusDeps, status } from "./status.ts";
import type { Workspaces } from "./workspaces.ts";

export interface AppDeps extends HealthDeps, StatusDeps {
  /** What completions in all workspaces share. */
  readonly completion: Omit<CompletionDeps, keyof WorkspacePart | keyof Asked>;
  readonly workspaces: Workspaces;
  readonly degrade: Degrade;
  readonly sessions: Sessions;
  readonly stats: RequestStats;
  readonly guard: GuardOptions;
  readonly log: Logger;
}

interface Placed<T extends FimRequest> {
  readonly request: T;
  readonly deps: CompletionDeps;
}

type WorkspacePart = Pick<CompletionDeps, "retrieve" | "definedIn" | "repoName">;

/** How often a job's progress is sent to those who watch it. */
const JOB_EVENT_MS = 250;

/** For whoever watches over the process, and for a browser, which shows just that: neither knows a token. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set(["/health", "/"]);

export function createApp(deps: AppDeps): Express {
  const { completion, asked: askedOf, workspaces, sessions, degrade, stats, guard, indexer, log } = deps;
  const busy = createBusySignal(() => indexer.busy());
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use((request, _response, next) => {
    const isOpen = WITHOUT_TOKEN.has(request.path);
    const refusal = refuseForeign(request, isOpen ? { ...guard, token: undefined } : guard);
    next(refusal && new HttpError(refusal.status, refusal.code, refusal.message, refusal.hint));
  });
  app.use(express.json({ limit: BODY_LIMIT_BYTES, type: () => true, strict: false }));

  /**
   * @returns the request with its path in the workspace, and its language; and what completes there
   * @throws {HttpError} as {@link Workspaces.fileOf}
   */
  function placed<T extends FimRequest>(asked: T, field = "path"): Placed<T> {
    const { workspace, path } = workspaces.fileOf({ workspace: asked.workspace, path: asked.path, field });
    const languageId = asked.languageId || languageOf(path).id;
    const { retrieve, definedIn, name } = workspace;
    const model = askedOf(asked);
    return {
      request: {
        ...{ ...asked, ...editorPaths(workspace, asked) },
        ...{ workspace: name, path, languageId, mode: model.mode },
      },
      deps: { ...completion, ...model, retrieve, definedIn, repoName: name },
    };
  }

  async function answerFim(
    { request, deps }: Placed<FimRequest>,
    response: Response,
    onText?: (text: string) => void,
  ) {
    const requestId = request.requestId ?? randomUUID();
    const session = sessions.begin(request.sessionId, signalOf(response));
    const deadline = request.deadlineMs === undefined ? [] : [AbortSignal.timeout(request.deadlineMs)];
    const signal = AbortSignal.any([session.signal, ...deadline]);
    try {
      const options = { requestId, takeOver: session.takeOver, ...(onText && { onText }) };
      const { step, debounceMs, ...asked } = degrade.apply(request, deps);
      const completion = await busy.during(
        complete({ ...asked.request, requestId }, asked.deps, options, signal),
      );
      const reason = step === "skip" && !completion.completion ? "overloaded" : completion.reason;
      const done: FimDone = { ...completion, reason, step, debounceMs };
      stats.record(request.path, done);
      log.debug(
        { requestId, reason: done.reason, engine: done.engine, ms: done.timings.total },
        "completion",
      );
      return done;
    } finally {
      session.end();
    }
  }

  app.get("/", (_request, response) => {
    response.type("html").send(landingPage());
  });
  app.get("/openapi.json", (_request, response) => {
    response.json(openapi());
  });
  app.get("/health", async (_request, response) => {
    const report = await health(deps, signalOf(response));
    response.status(report.status === "ok" || report.status === "degraded" ? 200 : 503).json(report);
  });
  app.get("/v1/status", async (_request, response) => {
    response.json(await status(deps, signalOf(response)));
  });

  app.post("/complete", async (request, response) => {
    const { file_path, language, ...rest } = parse(completeRequest, request.body);
    const body = fimRequest.parse({ ...rest, path: file_path, languageId: language });
    response.json({ completion: (await answerFim(placed(body, "file_path"), response)).completion });
  });

  app.post("/v1/fim", async (request, response) => {
    const body = placed(parse(fimRequest, request.body));
    const events = serverSentEvents(response);
    const done = await answerFim(body, response, (text) => events.send({ text }));
    events.send(done);
    events.end();
  });

  app.post("/v1/prompt", async (request, response) => {
    const { request: body, deps } = placed(parse(promptRequest, request.body));
    response.json(await dryRun(body, deps, signalOf(response)));
  });

  app.post("/search", async (request, response) => {
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

  app.post("/index", async (request, response) => {
    const { file_path, content, language, ...asked } = parse(indexRequest, request.body);
    const place = workspaces.fileOf({ ...asked, path: file_path, field: "file_path" });
    const file = { ...workspaces.atIndexer(place), content, language };
    response.json(await indexer.index(file, signalOf(response)));
  });
  app.post("/v1/documents", async (request, response) => {
    const document = parse(documentRequest, request.body);
    const deps = { indexer, atIndexer: workspaces.atIndexer };
    response.json(await putDocument(workspaces.fileOf(document), document, deps, signalOf(response)));
  });
  app.post("/index-dir", async (request, response) => {
    const { workspace, dir_path } = parse(indexDirRequest, request.body ?? {});
    const place = workspaces.placeOf({ workspace, path: dir_path, field: "dir_path" });
    const job = await indexer.sync(workspaces.atIndexer(place), signalOf(response));
    response.status(202).json({ job });
  });
  app.get("/v1/explain", async (request, response) => {
    const asked = parse(explainRequest, request.query);
    response.json(await explain(asked, deps, signalOf(response)));
  });
  app.get("/v1/symbols", (request, response) => {
    response.json(symbolsAnswer(parse(symbolsRequest, request.query), workspaces));
  });
  app.get("/v1/members", (request, response) => {
    response.json(membersAnswer(parse(membersRequest, request.query), workspaces));
  });
  app.get("/v1/callers", async (request, response) => {
    response.json(await callersAnswer(parse(callersRequest, request.query), workspaces));
  });
  app.get("/v1/jobs/:job", async (request, response) => {
    const signal = signalOf(response);
    const first = await indexer.job(request.params.job, signal);
    if (!request.accepts("json") || request.get("accept")?.includes("text/event-stream")) {
      await followJob(first, response, signal);
    } else response.json(first);
  });
  app.delete("/v1/jobs/:job", async (request, response) => {
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

  app.use((request) => {
    throw new HttpError(
      404,
      "not_found",
      `no ${request.method} ${request.path} here`,
      "GET /openapi.json lists what there is.",
    );
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const problem = toHttpError(error);
    // Nobody is there to read an answer when the request was cancelled.
    if (!problem || response.destroyed) {
      response.end();
      return;
    }
    if (problem.status >= 500) log.warn({ code: problem.code }, problem.message);
    if (problem.retryAfterMs !== undefined && !response.headersSent)
      response.set("retry-after", String(Math.ceil(problem.retryAfterMs / 1_000)));
    if (!response.headersSent) response.status(problem.status).json(problem.body());
    else response.end(`data: ${JSON.stringify(problem.body())}\n\n`);
  });
  return app;
}

/** @throws {z.ZodError} that names every bad field; `app.ts` makes it a 400 */
const parse = <T extends z.ZodType>(schema: T, body: unknown): z.infer<T> => schema.parse(body);

/** Fires when the client hangs up before it has its answer. */
function signalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
