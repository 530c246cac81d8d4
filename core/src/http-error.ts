/** What both HTTP APIs answer when a request cannot be served: `{error: {code, message, hint?}}` with the right status. */
import type { ZodError } from "zod";
import type { ErrorResponse } from "./protocol.ts";

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** For programs, in snake_case; it stays when the words change. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Milliseconds after which it may be tried again (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, hint?: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.retryAfterMs = retryAfterMs;
  }

  body(): ErrorResponse {
    const { code, message, hint } = this;
    return { error: { code, message, ...(hint && { hint }) } };
  }
}

/** Names every bad field. */
export function badRequest({ issues }: ZodError, hint?: string): HttpError {
  const fields = issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  return new HttpError(400, "bad_request", fields.join("; "), hint);
}
