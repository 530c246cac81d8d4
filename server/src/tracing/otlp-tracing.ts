/**
 * Sends traces to a collector over OTLP/HTTP (JSON). The one place that knows OpenTelemetry's SDK, which reads the rest of
 * the OTEL_* variables by itself: headers, time limits and compression of the exporter, the sampler, the sizes of batches,
 * and OTEL_RESOURCE_ATTRIBUTES.
 */
import type { Logger } from "@dhi/core/log";
import { loggedId, type RequestContext } from "@dhi/core/request-context";
import { VERSION } from "@dhi/core/version";
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { completionAttributes, type HopSpan, hopSpans } from "./hop-spans.ts";
import type { AskedRequest, Tracing } from "./tracing.ts";

export interface OtlpTracingOptions {
  /** URL without a slash at its end; `/v1/traces` is added, as OpenTelemetry's specification says. */
  readonly endpoint: string;
  /** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES count more. */
  readonly service: string;
  readonly log: Logger;
}

/** A stop does not wait for a collector that is away. */
const CLOSE_MS = 2_000;
/** A collector that is away is said once in this time, and not every 5 s. */
const COMPLAIN_EVERY_MS = 600_000;
/** Different words in that time: one that numbers its refusals says nothing new with each. */
const MOST_COMPLAINTS = 5;

interface OpenRequest {
  readonly span: Span;
  readonly method: string;
  /** Unix milliseconds when `performance.now()` was 0: another moment for each request, since that clock stops in sleep. */
  readonly epoch: number;
}

export function createOtlpTracing({ endpoint, service, log }: OtlpTracingOptions): Tracing {
  complainTo(log);
  // No other detectors: they tell the command line, the user and the host.
  const resource = resourceFromAttributes({ "service.name": service, "service.version": VERSION }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer("dhi", VERSION);
  const open = new WeakMap<RequestContext, OpenRequest>();

  function record({ name, from, to, attributes, parts }: HopSpan, epoch: number, inside: Context): void {
    const span = tracer.startSpan(name, { startTime: epoch + from, attributes }, inside);
    for (const part of parts) record(part, epoch, trace.setSpan(inside, span));
    span.end(epoch + to);
  }

  return {
    begin(context, asked) {
      const { method } = asked;
      const startTime = Date.now();
      const attributes = { "dhi.request_id": loggedId(context.id), "http.request.method": method };
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, startTime, attributes },
        parentOf(asked),
      );
      open.set(context, { span, method, epoch: startTime - performance.now() });
    },
    completed(context, watch, end) {
      const request = open.get(context);
      if (!request?.span.isRecording()) return;
      request.span.setAttributes(completionAttributes(end));
      const inside = trace.setSpan(ROOT_CONTEXT, request.span);
      for (const hop of hopSpans(watch, end.done)) record(hop, request.epoch, inside);
    },
    end(context, { route, status, isCancelled, errorCode }) {
      const request = open.get(context);
      if (!request) return;
      open.delete(context);
      const { span, method, epoch } = request;
      span.setAttribute("http.response.status_code", status);
      if (isCancelled) span.setAttribute("dhi.cancelled", true);
      if (errorCode !== undefined) span.setAttribute("error.type", errorCode);
      // A client's mistake is none of the server's; and a stream has begun with 200 before it fails.
      const hasFailed = status >= 500 || (errorCode !== undefined && status < 400);
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      if (route !== undefined) span.setAttribute("http.route", route).updateName(`${method} ${route}`);
      span.end(epoch + performance.now());
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((done) => {
        timer = setTimeout(done, CLOSE_MS);
      });
      await Promise.race([provider.shutdown().catch(() => {}), over]);
      clearTimeout(timer);
      diag.disable();
    },
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/**
 * Without `tracestate`, which is text of the client's and may be anything.
 *
 * @returns the span of the client that the request's is part of; of none it is the first of a trace
 */
function parentOf({ traceparent = "" }: AskedRequest): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? "0", 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Of the SDK's own words only errors; an exporter's come as JSON with a stack. */
function complainTo(log: Logger): void {
  const said = new Map<string, number>();
  const error = (text: string) => {
    const words = messageIn(text);
    const now = performance.now();
    for (const [before, at] of said) if (now - at >= COMPLAIN_EVERY_MS) said.delete(before);
    if (said.has(words) || said.size >= MOST_COMPLAINTS) return;
    said.set(words, now);
    // Whatever request it was that filled the batch, it is not the one to blame.
    log.warn({ requestId: undefined }, `traces: ${words}`);
  };
  const ignore = () => {};
  const logger = { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

function messageIn(text: string): string {
  try {
    const { message, code } = JSON.parse(text) as { readonly message?: string; readonly code?: string };
    return message || code || text;
  } catch {
    return text;
  }
}
