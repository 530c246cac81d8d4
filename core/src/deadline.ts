/** A time limit on top of a caller's own signal. */

/**
 * Runs `work` with a signal that fires when the caller's does, with its reason, or when the time is over, with a
 * `TimeoutError`.
 *
 * Not `AbortSignal.any`: Node 20 keeps what it makes for as long as the caller's signal lives.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limited = new AbortController();
  const onAbort = () => limited.abort(signal.reason);
  const timer = setTimeout(
    () => limited.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError")),
    ms,
  );
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
