/** Everything that can go wrong with a request → status, code and words. */
import { ZodError } from "zod";

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ZodError) {
    const fields = error.issues.map((i) => `${i.path.join(".") || "body"}: ${i.message}`);
    return new HttpError(400, "bad_request", fields.join("; "));
  }
  // body-parser's errors carry `type` and `status` (its README, "Errors").
  if (error instanceof Error && "type" in error && "status" in error && typeof error.status === "number")
    return new HttpError(error.status, String(error.type).replaceAll(".", "_"), error.message);
  return new HttpError(500, "internal", error instanceof Error ? error.message : String(error));
}
