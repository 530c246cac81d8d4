/** Everything that can go wrong with a request → status, code and words. */
import { badRequest, HttpError } from "@dhi/core/http-error";
import { BODY_LIMIT_BYTES } from "@dhi/core/protocol";
import { isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import { ZodError } from "zod";
import { RefusedByIndexer } from "./indexer-client.ts";

const HOW_TO_ASK = "GET /openapi.json describes every request.";

/** @returns `undefined` for a request that was cancelled: there is nobody to tell */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (isTimeout(error))
    return new HttpError(
      504,
      "deadline",
      "the deadline of the request passed",
      "Raise deadlineMs, or leave it out.",
    );
  if (isAbortError(error)) return undefined;
  if (error instanceof ZodError) return badRequest(error, HOW_TO_ASK);
  if (error instanceof RefusedByIndexer)
    return new HttpError(error.status, error.code, error.message, error.hint);
  if (error instanceof UpstreamError && error.status === 429) {
    const hint = "It has too much to do; try again later.";
    return new HttpError(429, "upstream_busy", error.message, hint, error.retryAfterMs);
  }
  if (error instanceof UpstreamError) {
    return new HttpError(502, "upstream", error.message, "GET /health says which part is down.");
  }
  return (
    fromExpress(error) ??
    new HttpError(500, "internal", error instanceof Error ? error.message : String(error))
  );
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

/** Express' errors carry `status`, and body-parser's mostly `type` too (its README, "Errors"). */
function fromExpress(error: unknown): HttpError | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  const type = "type" in error ? String(error.type) : "bad_request";
  if (type === "entity.too.large") {
    const mib = BODY_LIMIT_BYTES / 1024 / 1024;
    return new HttpError(
      413,
      "too_large",
      `the body is over ${mib} MiB`,
      "Send the code around the cursor, not all of a large file.",
    );
  }
  if (type === "entity.parse.failed")
    return new HttpError(400, "bad_json", `the body is no JSON: ${error.message}`, HOW_TO_ASK);
  return typeof error.status === "number" && error.status < 500
    ? new HttpError(error.status, type.replaceAll(".", "_"), error.message)
    : undefined;
}
