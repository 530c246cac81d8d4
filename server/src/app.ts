/** Who may ask, which routes there are, and errors → status. What happens behind a route is elsewhere. */
import { HttpError } from "@dhi/core/http-error";
import { type GuardOptions, refuseForeign } from "@dhi/core/http-guard";
import { BODY_LIMIT_BYTES } from "@dhi/core/protocol";
import { withoutCode } from "@dhi/core/request-context";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { type AnsweringDeps, createAnswering } from "./answering.ts";
import type { DoctorDeps } from "./doctor/doctor.ts";
import type { Events } from "./events/events.ts";
import type { HealthDeps } from "./health.ts";
import { toHttpError } from "./http-error.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { RunningConfig } from "./model/running-config.ts";
import { giveId, noteError, observe } from "./request-log.ts";
import { completionRoutes } from "./routes/completion-routes.ts";
import { configRoutes } from "./routes/config-routes.ts";
import { doctorRoutes } from "./routes/doctor-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { graphRoutes } from "./routes/graph-routes.ts";
import { type IndexRouteDeps, indexRoutes } from "./routes/index-routes.ts";
import { metricsRoutes } from "./routes/metrics-routes.ts";
import { modelRoutes } from "./routes/model-routes.ts";
import { openaiRoutes } from "./routes/openai-routes.ts";
import { statusRoutes } from "./routes/status-routes.ts";
import { type WarmRouteDeps, warmRoutes } from "./routes/warm-routes.ts";
import type { StatusDeps } from "./status.ts";
import { noTracing, type Tracing } from "./tracing/tracing.ts";
import { webPage } from "./web-page.ts";

export interface AppDeps extends AnsweringDeps, HealthDeps, IndexRouteDeps, StatusDeps, WarmRouteDeps {
  readonly running: RunningConfig;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly tracing?: Tracing;
  readonly workspaces: AnsweringDeps["workspaces"];
  readonly indexer: IndexRouteDeps["indexer"];
  readonly config: DoctorDeps["config"];
  readonly guard: GuardOptions;
}

/** For whoever watches over the process, and for a browser, which is given a page: neither knows a token. */
const WITHOUT_TOKEN = /^\/(health|assets\/[^/]+)?$/;

export function createApp(deps: AppDeps): Express {
  const { config, running, workspaces, events, metrics, guard, log, tracing = noTracing } = deps;
  const answering = createAnswering(deps);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use(giveId);
  app.use((request, _response, next) => {
    const isOpen = WITHOUT_TOKEN.test(request.path);
    const { ownHosts = [] } = guard;
    const refusal = refuseForeign(request, {
      ...guard,
      ownHosts: request.path === "/metrics" ? [...ownHosts, ...config.DHI_METRICS_HOSTS] : ownHosts,
      token: isOpen ? undefined : guard.token,
    });
    next(refusal && new HttpError(refusal.status, refusal.code, refusal.message, refusal.hint));
  });
  app.use(express.json({ limit: BODY_LIMIT_BYTES, type: () => true, strict: false }));
  app.use(observe({ tracing, log }));

  app.use(webPage());
  app.use(statusRoutes(deps));
  app.use(completionRoutes(answering));
  app.use(warmRoutes(answering, deps));
  app.use(openaiRoutes(deps, answering));
  app.use(indexRoutes(deps));
  app.use(fileRoutes(workspaces));
  app.use(graphRoutes(workspaces));
  app.use(configRoutes(running));
  app.use(modelRoutes(deps));
  app.use(doctorRoutes(deps));
  app.use(eventRoutes(events));
  app.use(metricsRoutes(metrics));

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
    noteError(response, problem.code);
    if (problem.status >= 500) log.warn({ code: problem.code }, withoutCode(problem.message));
    if (problem.retryAfterMs !== undefined && !response.headersSent)
      response.set("retry-after", String(Math.ceil(problem.retryAfterMs / 1_000)));
    if (!response.headersSent) response.status(problem.status).json(problem.body());
    else response.end(`data: ${JSON.stringify(problem.body())}\n\n`);
  });
  return app;
}
