/** A server that Dhi uses (Ollama, Chroma, the indexer) failed. The message quotes it. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly upstream: string;

  constructor(upstream: string, message: string, options?: ErrorOptions) {
    super(`${upstream}: ${message}`, options);
    this.upstream = upstream;
  }
}

/** No longer wanted: passed through untouched and never logged. */
export const isAbortError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" || (error as { code?: unknown }).code === "ABORT_ERR");

/** One line that says what went wrong. Node's `fetch` only says "fetch failed"; why is in its cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Quotes its cause already.
  if (error instanceof UpstreamError) return error.message;
  const { cause } = error;
  // One attempt per address of a name; the first says enough.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(first instanceof Error) || !first.message || error.message.includes(first.message))
    return error.message;
  return error.message === "fetch failed" ? first.message : `${error.message} (${first.message})`;
}
