/** A completion request of any protocol → its workspace, what completes there now, and the answer. */
import { randomUUID } from "node:crypto";
import { languageOf } from "@dhi/core/languages";
import type { Logger } from "@dhi/core/log";
import type { FimDone, FimPiece, FimRequest } from "@dhi/core/protocol";
import { currentRequest } from "@dhi/core/request-context";
import { createBusySignal } from "./busy-signal.ts";
import { type CompletionDeps, complete } from "./complete.ts";
import { editorPaths } from "./editor-paths.ts";
import type { Events } from "./events/events.ts";
import type { IndexerClient } from "./indexer-client.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { RunningConfig } from "./model/running-config.ts";
import type { Serving } from "./model/serving.ts";
import type { RequestStats } from "./request-stats.ts";
import type { Sessions } from "./sessions.ts";
import { stopwatch } from "./stopwatch.ts";
import { noTracing, type Tracing } from "./tracing/tracing.ts";
import type { Workspaces } from "./workspaces.ts";

export interface AnsweringDeps {
  /** What completions of all models and workspaces share. */
  readonly completion: Pick<CompletionDeps, "queue" | "writer" | "layouts">;
  readonly running: Pick<RunningConfig, "now">;
  readonly workspaces: Workspaces;
  readonly sessions: Sessions;
  readonly stats: RequestStats;
  readonly events: Pick<Events, "answered">;
  readonly metrics: Pick<Metrics, "answered" | "failed">;
  readonly tracing?: Pick<Tracing, "completed">;
  readonly indexer: Pick<IndexerClient, "busy">;
  readonly log: Logger;
}

export interface Placed<T extends FimRequest> {
  readonly request: T;
  readonly deps: CompletionDeps;
  /** A request ends with what it began with, whatever is set meanwhile. */
  readonly serving: Serving;
}

export interface Answering {
  /**
   * @param field of the caller's protocol that has the path
   * @returns the request with its path in the workspace, and its language; and what completes there
   * @throws {HttpError} as {@link Workspaces.fileOf}
   */
  place<T extends FimRequest>(asked: T, field?: string): Placed<T>;
  /**
   * @param onPiece called with each piece as it is written, and before them with a preview if the request wants that
   * @throws as `complete` does, and a `TimeoutError` once the request's deadline passes
   */
  answer(
    placed: Placed<FimRequest>,
    signal: AbortSignal,
    onPiece?: (piece: FimPiece) => void,
  ): Promise<FimDone>;
}

export function createAnswering({
  completion,
  running,
  workspaces,
  sessions,
  stats,
  events,
  metrics,
  tracing = noTracing,
  indexer,
  log,
}: AnsweringDeps): Answering {
  const busy = createBusySignal(() => indexer.busy());
  return {
    place(asked, field = "path") {
      const { workspace, path } = workspaces.fileOf({ workspace: asked.workspace, path: asked.path, field });
      const languageId = asked.languageId || languageOf(path).id;
      const { retrieve, definedIn, name } = workspace;
      const serving = running.now;
      const model = serving.asked(asked);
      const { engineFor: engine, minMeanLogprob } = serving;
      return {
        request: {
          ...{ ...asked, ...editorPaths(workspace, asked) },
          ...{ workspace: name, path, languageId, mode: model.mode },
        },
        deps: { ...completion, ...model, engine, minMeanLogprob, retrieve, definedIn, repoName: name },
        serving,
      };
    },

    async answer({ request, deps, serving }, closed, onPiece) {
      const context = currentRequest() ?? { id: randomUUID() };
      const requestId = request.requestId ?? context.id;
      const watch = stopwatch();
      const session = sessions.begin(request.sessionId, closed, request.deadlineMs);
      try {
        const options = {
          ...{ requestId, watch, takeOver: session.takeOver },
          ...(onPiece && { onText: (text: string) => onPiece({ text }) }),
          ...(request.preview && { onPreview: onPiece }),
        };
        const { step, debounceMs, ...asked } = serving.degrade.apply(request, deps);
        const answered = await busy.during(
          complete({ ...asked.request, requestId }, asked.deps, options, session.signal),
        );
        const reason = step === "skip" && !answered.completion ? "overloaded" : answered.reason;
        const done: FimDone = { ...answered, reason, step, debounceMs };
        stats.record(request.path, done);
        events.answered(request, done);
        metrics.answered(done);
        tracing.completed(context, watch, { ...request, done });
        log.debug({ reason: done.reason, engine: done.engine, ms: done.timings.total }, "completion");
        return done;
      } catch (error) {
        metrics.failed(error);
        tracing.completed(context, watch, request);
        throw error;
      } finally {
        session.end();
      }
    },
  };
}
