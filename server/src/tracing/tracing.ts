/** Traces for OpenTelemetry: a span for each request, and one in it for each hop of a completion. Off without a collector. */
import type { Logger } from "@dhi/core/log";
import type { FimDone, FimRequest } from "@dhi/core/protocol";
import type { RequestContext } from "@dhi/core/request-context";
import type { ServerConfig } from "../config.ts";
import type { Stopwatch } from "../stopwatch.ts";

export interface Tracing {
  /** A request has come. */
  begin(context: RequestContext, asked: AskedRequest): void;
  /** Its completion has ended: with an answer, or with the code of an error. */
  completed(context: RequestContext, watch: Stopwatch, end: CompletionEnd): void;
  /** The request is over. */
  end(context: RequestContext, answer: RequestEnd): void;
  /** Sends what is not sent yet, for a moment at most. */
  close(): Promise<void>;
}

export interface AskedRequest {
  readonly method: string;
  /** As W3C's Trace Context has it; another text begins a trace of its own. */
  readonly traceparent?: string | undefined;
}

export interface CompletionEnd {
  readonly languageId: FimRequest["languageId"];
  /** `undefined` when there is no answer. */
  readonly done?: FimDone | undefined;
}

export interface RequestEnd {
  /** With its parameters' names, never their values; `undefined` for what is no route. */
  readonly route: string | undefined;
  readonly status: number;
  readonly isCancelled: boolean;
  /** In snake_case, for programs. */
  readonly errorCode: string | undefined;
}

export type TracingSettings = Pick<
  ServerConfig,
  "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_SDK_DISABLED" | "OTEL_SERVICE_NAME"
>;

/** Of OpenTelemetry not even a line is read unless there is a collector. */
export async function openTracing(config: TracingSettings, log: Logger): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service } = config;
  if (endpoint === undefined || config.OTEL_SDK_DISABLED) return noTracing;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  log.info({ endpoint }, "requests are traced");
  return createOtlpTracing({ endpoint, service, log });
}

export const noTracing: Tracing = {
  begin() {},
  completed() {},
  end() {},
  async close() {},
};
