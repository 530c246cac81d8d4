/** Asks again and again while somebody looks. */

/**
 * @param once asked at once and then `everyMs` after each answer; never while the page is hidden
 * @returns what ends it
 */
export function poll(once: (signal: AbortSignal) => Promise<void>, everyMs: number): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  async function turn(): Promise<void> {
    if (asking || document.hidden) return;
    asking = true;
    clearTimeout(timer);
    try {
      await once(ended.signal);
    } finally {
      asking = false;
      if (!ended.signal.aborted) timer = setTimeout(turn, everyMs);
    }
  }
  document.addEventListener("visibilitychange", turn, { signal: ended.signal });
  void turn();
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
