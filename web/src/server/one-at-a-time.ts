/** For what is asked in turn, of which only the last answer counts. */

/** @returns called before each request: a signal for it, which fires when the next one begins */
export function oneAtATime(): () => AbortSignal {
  let latest = new AbortController();
  return () => {
    latest.abort();
    latest = new AbortController();
    return latest.signal;
  };
}
