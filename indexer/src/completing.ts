/** Whether somebody waits for ghost text right now, as the server says. */

export interface Completing {
  /** A completion runs. Said again while it does; silence means that it is over. */
  note(): void;
  isRunning(): boolean;
}

/** Three times as long as the server waits before it says so again. */
const LASTS_MS = 1_500;

export function createCompleting(lastsMs = LASTS_MS): Completing {
  let until = Number.NEGATIVE_INFINITY;
  return {
    note() {
      until = performance.now() + lastsMs;
    },
    isRunning: () => performance.now() < until,
  };
}
