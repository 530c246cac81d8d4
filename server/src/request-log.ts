/** Around every route: the request's id, its line in the log and its span. */
import type { Logger } from "@dhi/core/log";
import { inRequest, REQUEST_ID, requestIdOf } from "@dhi/core/request-context";
import type { RequestHandler, Response } from "express";
import type { Tracing } from "./tracing/tracing.ts";

/** Goes before everything, so that a refusal has an id as well. */
export const giveId: RequestHandler = (request, response, next) => {
  response.set(REQUEST_ID, requestIdOf(request.headers[REQUEST_ID]));
  next();
};

/** Asked again and again by whoever watches over the process, and the page, which is files. */
const UNTRACED = /^\/($|health$|metrics$|assets\/)/;

/** Goes behind the reader of bodies: an id in a completion's body counts more than the one in the header. */
export function observe({
  tracing,
  log,
}: {
  readonly tracing: Tracing;
  readonly log: Logger;
}): RequestHandler {
  return (request, response, next) => {
    const context = {
      id: requestIdOf(idIn(request.body), response.get(REQUEST_ID)),
      code: [...textsIn(request.body), ...textsIn(request.query)],
      isOver: false,
    };
    response.set(REQUEST_ID, context.id);
    const { method } = request;
    const startedAt = performance.now();
    if (!UNTRACED.test(request.path))
      tracing.begin(context, { method, traceparent: request.get("traceparent") });
    response.on("close", () => {
      // What still goes on for it must not keep the text of a file alive.
      context.code.splice(0);
      context.isOver = true;
      const route: unknown = request.route?.path;
      const end = {
        route: typeof route === "string" ? route : undefined,
        status: response.statusCode,
        isCancelled: !response.writableFinished,
        errorCode: errorCodes.get(response),
      };
      tracing.end(context, end);
      inRequest(context, () =>
        log.debug({ method, ...end, ms: ms(performance.now() - startedAt) }, "request"),
      );
    });
    inRequest(context, next);
  };
}

const errorCodes = new WeakMap<Response, string>();

/** A stream that has begun can't tell by its status that it ends with an error. */
export const noteError = (response: Response, code: string): void => void errorCodes.set(response, code);

const idIn = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "requestId" in body ? body.requestId : undefined;

/** What a client may send code in: an id, a name and a path are any text as well. */
function textsIn(value: unknown, depth = DEPTH): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth - 1));
}

/** No protocol nests as deep. */
const DEPTH = 6;

const ms = (value: number) => Math.round(value * 100) / 100;
