/** A server that Dhi uses (Ollama, Chroma, the indexer) failed. The message quotes it. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly upstream: string;
  /** HTTP status of its answer; `undefined` when there was none, or when it failed after a good start. */
  readonly status: number | undefined;
  /** Milliseconds it asks to be left alone for (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(upstream: string, message: string, options: UpstreamErrorOptions = {}) {
    super(`${upstream}: ${message}`, options);
    this.upstream = upstream;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export interface UpstreamErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** No longer wanted: passed through untouched and never logged. */
export const isAbortError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" || (error as { code?: unknown }).code === "ABORT_ERR");

/** One line that says what went wrong. Node's `fetch` only says "fetch failed"; why is in its cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The words of AbortSignal.timeout are of an operation, and not of a server.
  if (error.name === "TimeoutError" && error.message.startsWith("The operation was aborted"))
    return "no answer in time";
  // Quotes its cause already.
  if (error instanceof UpstreamError) return error.message;
  const { cause } = error;
  // One attempt per address of a name; the first says enough.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(first instanceof Error) || !first.message || error.message.includes(first.message))
    return error.message;
  return error.message === "fetch failed" ? first.message : `${error.message} (${first.message})`;
}
