/** When work in the background makes room: for a sync, for completions, and for a battery. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

export interface Demand {
  /** A sync goes first: a completion sees what it brings long before it sees a vector. */
  readonly isSyncing: () => boolean;
  /** Somebody waits for ghost text, from the same cores and the same model server. */
  readonly isCompleting: () => boolean;
  readonly onBattery: () => boolean;
}

export interface Throttle {
  /**
   * Awaited before each piece of work; settles after some seconds at the latest, so that nothing stands still.
   *
   * @param isBacklog whether there is more to do than a save brings, asked again and again: what a save brings goes
   * ahead, beside completions and on a battery
   */
  makeRoom(isBacklog: () => boolean, signal: AbortSignal): Promise<void>;
  /** Pieces of work should be small now. */
  isGentle(): boolean;
}

export interface ThrottleLimits {
  /** Of a sync that takes longer, vectors get a little now and then. */
  readonly syncFirstMs: number;
  readonly completionsFirstMs: number;
  readonly batteryRestMostMs: number;
}

const usualLimits: ThrottleLimits = {
  syncFirstMs: 2_000,
  completionsFirstMs: 2_000,
  batteryRestMostMs: 5_000,
};
const LOOK_AGAIN_MS = 5;
/** On a battery a backlog gets a quarter of the time. */
const BATTERY_REST = 3;

/** One for each loop: it takes the time between two calls for the work of that loop. */
export function createThrottle(
  { isSyncing, isCompleting, onBattery }: Demand,
  limits: ThrottleLimits = usualLimits,
): Throttle {
  let letGoAt: number | undefined;

  return {
    async makeRoom(isBacklog, signal) {
      const worked = letGoAt === undefined ? 0 : performance.now() - letGoAt;
      // The sync that woke this loop is over in a moment.
      if (isSyncing()) await nextTurn();
      await untilFalse(isSyncing, limits.syncFirstMs, signal);
      const rest = Math.min(BATTERY_REST * worked, limits.batteryRestMostMs);
      await untilFalse(() => isBacklog() && onBattery(), rest, signal);
      await untilFalse(() => isBacklog() && isCompleting(), limits.completionsFirstMs, signal);
      letGoAt = isBacklog() ? performance.now() : undefined;
    },
    isGentle: () => isCompleting() || onBattery(),
  };
}

async function untilFalse(is: () => boolean, mostMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + mostMs;
  while (is() && performance.now() < until) await sleep(LOOK_AGAIN_MS, undefined, { signal });
}
