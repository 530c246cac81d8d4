/** A loop that works while there is work, sleeps until it is woken, and tries again ever later while its server is down. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describeError } from "@dhi/core/upstream-error";

export interface RetryDelays {
  readonly firstMs: number;
  /** The delay doubles up to this. */
  readonly mostMs: number;
}

export interface LoopFailure {
  readonly error: unknown;
  readonly words: string;
}

export interface BackgroundLoopOptions {
  /**
   * Does one piece of work.
   *
   * @returns milliseconds after which to look again: 0 while there is more to do, `Infinity` to wait to be woken
   */
  readonly step: (signal: AbortSignal) => Promise<number>;
  readonly retry: RetryDelays;
  /** Called before each sleep. */
  readonly onRest: () => void;
  /** Called when a failure is another one than the last, and with `undefined` when it is over. */
  readonly onFailure: (failure: LoopFailure | undefined) => void;
  /** In words for people. */
  readonly describe?: (error: unknown) => string;
}

export interface BackgroundLoop {
  /** Looks again now. While the server is down, at the earliest `firstMs` after the last try. */
  wake(): void;
  /** Of the last try. */
  failure(): LoopFailure | undefined;
  /** Aborts the step that runs and settles when it has ended. */
  close(): Promise<void>;
}

/** Starts with a step at once. */
export function startBackgroundLoop(options: BackgroundLoopOptions): BackgroundLoop {
  const { step, retry, onRest, onFailure, describe = describeError } = options;
  const closing = new AbortController();
  let failure: LoopFailure | undefined;
  let failures = 0;
  let woken = false;
  let rouse = () => {};

  function note(now: LoopFailure | undefined): void {
    const before = failure;
    failure = now;
    if (now === undefined) failures = 0;
    if (now?.words !== before?.words) onFailure(now);
  }

  /** @param deaf sleeps through a call to wake */
  function sleep(ms: number, deaf: boolean): Promise<void> {
    if (closing.signal.aborted || (woken && !deaf) || ms <= 0) return Promise.resolve();
    return new Promise((done) => {
      const timer = Number.isFinite(ms) ? setTimeout(finish, ms) : undefined;
      function finish(): void {
        clearTimeout(timer);
        closing.signal.removeEventListener("abort", finish);
        rouse = () => {};
        done();
      }
      closing.signal.addEventListener("abort", finish);
      if (!deaf) rouse = finish;
    });
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      woken = false;
      try {
        const wait = await step(closing.signal);
        note(undefined);
        if (wait === 0) {
          await nextTurn();
        } else {
          onRest();
          await sleep(wait, false);
        }
      } catch (error) {
        if (closing.signal.aborted) return;
        note({ error, words: describe(error) });
        onRest();
        const wait = Math.min(retry.mostMs, retry.firstMs * 2 ** failures++);
        await sleep(retry.firstMs, true);
        await sleep(wait - retry.firstMs, false);
      }
    }
  }
  const running = run();

  return {
    wake() {
      woken = true;
      rouse();
    },
    failure: () => failure,
    async close() {
      closing.abort();
      await running;
    },
  };
}
