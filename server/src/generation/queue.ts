/** At most so many calls of an engine at once; sessions take turns, so that nobody waits for another's many requests. */

export interface Queue {
  /**
   * @param session whose turn it takes
   * @param signal takes it out again while it waits: what is no longer wanted never reaches the engine
   * @throws the signal's reason, or what the task throws
   */
  run<T>(session: string, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly running: number;
  readonly waiting: number;
  /** Whether a call would begin at once and take nobody's place. */
  readonly isIdle: boolean;
  /** When a call last began or ended, by `performance.now()`; `-Infinity` before the first. */
  readonly usedAt: number;
}

export interface QueueOptions {
  /** Calls at once, now. */
  readonly slots: () => number;
  /** Called when a task has to wait: who holds a slot for nobody should give it back. */
  readonly onWait?: () => void;
}

export function createQueue({ slots, onWait }: QueueOptions): Queue {
  /** In the order of their turns; none is empty. */
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  let usedAt = Number.NEGATIVE_INFINITY;

  function next(): void {
    for (const [session, line] of lines) {
      if (running >= slots()) return;
      const begin = line.shift();
      // Its next one waits until all others had a turn.
      lines.delete(session);
      if (line.length) lines.set(session, line);
      begin?.();
    }
  }

  function turn(session: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(session) ?? [];
      const begin = () => {
        signal.removeEventListener("abort", onAbort);
        running++;
        usedAt = performance.now();
        resolve();
      };
      const onAbort = () => {
        const at = line.indexOf(begin);
        if (at >= 0) line.splice(at, 1);
        if (!line.length && lines.get(session) === line) lines.delete(session);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      line.push(begin);
      lines.set(session, line);
      if (running >= slots()) onWait?.();
      next();
    });
  }

  return {
    async run(session, task, signal) {
      signal.throwIfAborted();
      await turn(session, signal);
      try {
        signal.throwIfAborted();
        return await task();
      } finally {
        running--;
        usedAt = performance.now();
        next();
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      let all = 0;
      for (const line of lines.values()) all += line.length;
      return all;
    },
    get isIdle() {
      return running < slots() && lines.size === 0;
    },
    get usedAt() {
      return usedAt;
    },
  };
}
