/** Syncs that wait for each other, in the order they were asked for. */
import type { SyncProgress } from "./sync.ts";

/** One sync that was asked for. */
export interface Task {
  /** `""` is everything; more may come until it begins. */
  readonly paths: Set<string>;
  readonly signal: AbortSignal;
  readonly progress: SyncProgress;
  readonly finish: (error?: unknown) => void;
  readonly isJob: boolean;
}

export interface Lane {
  enqueue(task: Task): void;
  /** The last of those that have not begun and fit. */
  lastWaiting(fits: (task: Task) => boolean): Task | undefined;
  isIdle(): boolean;
  drained(): Promise<void>;
}

export function createLane(perform: (task: Task) => Promise<void>, onDrained: () => void): Lane {
  const queue: Task[] = [];
  let running: Promise<void> | undefined;
  async function drain(): Promise<void> {
    for (let task = queue.shift(); task; task = queue.shift()) await perform(task);
    running = undefined;
    onDrained();
  }
  return {
    enqueue(task) {
      queue.push(task);
      running ??= drain();
    },
    lastWaiting: (fits) => queue.findLast(fits),
    isIdle: () => running === undefined,
    async drained() {
      await running;
    },
  };
}
