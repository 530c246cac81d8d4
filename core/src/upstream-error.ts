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

/** One line that says what went wrong, with the cause that Node's `fetch` hides behind "fetch failed". */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error)
    return `${error.message} (${cause.errors[0].message})`;
  return cause instanceof Error && cause.message && !error.message.includes(cause.message)
    ? `${error.message} (${cause.message})`
    : error.message;
}
