/** Tells the indexer that a completion runs, so that its work in the background makes room. */

export interface BusySignal {
  /**
   * Says so in the next turn of the event loop, and again while the work goes on; what is over by then, an answer that was
   * there already, disturbs nobody. Never fails and never waits.
   */
  during<T>(work: Promise<T>): Promise<T>;
}

/** The indexer takes a silence three times as long for the end. */
const EVERY_MS = 500;

/** @param tell says it once; that it fails does not matter */
export function createBusySignal(tell: () => Promise<unknown>, everyMs = EVERY_MS): BusySignal {
  let running = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function say(): void {
    clearTimeout(timer);
    if (running === 0) return;
    const wait = toldAt + everyMs - performance.now();
    if (wait <= 0) {
      toldAt = performance.now();
      tell().catch(() => {});
    }
    timer = setTimeout(say, wait > 0 ? wait : everyMs);
    timer.unref();
  }

  return {
    async during(work) {
      running++;
      setImmediate(say);
      try {
        return await work;
      } finally {
        running--;
      }
    },
  };
}
