/**
 * Notices a server that has stopped answering, from the silence of all calls together. One call alone would not show it:
 * while somebody types, each is given up for the next one long before its own patience ends.
 */

export interface Watchdog {
  /**
   * @param work gets a signal that fires with the caller's, or with a {@link Stuck} when the server is found stuck; it
   * calls `alive` whenever something arrives before its end
   */
  during<T>(signal: AbortSignal, work: (signal: AbortSignal, alive: () => void) => Promise<T>): Promise<T>;
}

export interface WatchdogOptions {
  /** Silence that is still normal now, in milliseconds; only time in which somebody waits counts. */
  readonly patienceMs: () => number;
  /** All calls that wait have been ended. */
  readonly onStuck: () => void;
}

/** Nothing arrived for as long as somebody waited. */
export class Stuck extends Error {
  override readonly name = "Stuck";
  readonly silentMs: number;
  constructor(silentMs: number) {
    super(`nothing arrived in ${silentMs / 1000} s`);
    this.silentMs = silentMs;
  }
}

export function createWatchdog({ patienceMs, onStuck }: WatchdogOptions): Watchdog {
  const waiting = new Set<AbortController>();
  /** Of earlier calls that ended in silence. */
  let silentMs = 0;
  /** When the silence of the calls that wait now began. */
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  const silence = () => silentMs + performance.now() - since;

  function look(): void {
    const patience = patienceMs();
    // The timer is not moved with every piece that arrives, so it mostly rings too early.
    if (silence() < patience) {
      watch(patience);
      return;
    }
    const stuck = new Stuck(patience);
    const ended = [...waiting];
    waiting.clear();
    silentMs = 0;
    onStuck();
    for (const call of ended) call.abort(stuck);
  }

  function watch(patience: number): void {
    timer = setTimeout(look, Math.max(1, patience - silence()));
    timer.unref();
  }

  function alive(): void {
    silentMs = 0;
    since = performance.now();
  }

  function leave(call: AbortController): void {
    if (!waiting.delete(call) || waiting.size > 0) return;
    clearTimeout(timer);
    silentMs = silence();
  }

  return {
    async during(signal, work) {
      signal.throwIfAborted();
      const call = new AbortController();
      const onAbort = () => call.abort(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.add(call);
      if (waiting.size === 1) {
        since = performance.now();
        watch(patienceMs());
      }
      try {
        const answer = await work(call.signal, alive);
        alive();
        return answer;
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        // A refusal is an answer, too.
        alive();
        throw error;
      } finally {
        signal.removeEventListener("abort", onAbort);
        leave(call);
      }
    },
  };
}
