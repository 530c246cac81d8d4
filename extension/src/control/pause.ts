/** Quiet for the whole window: a snooze that ends by itself, and running on battery. */
import { isOnBattery } from "./battery.ts";
import { NO_PAUSE, type Pause } from "./gate.ts";

export interface PauseControl {
  readonly now: () => Pause;
  /** @param ms from now; 0 ends it */
  snooze(ms: number): void;
  /** Looks at the battery now and then, from now on or no more. */
  watchBattery(wanted: boolean): void;
  dispose(): void;
}

export interface PauseDeps {
  /** Called when what `now` says has changed, the end of a snooze included. */
  readonly onChange: () => void;
  readonly isOnBattery?: () => Promise<boolean | undefined>;
  readonly batteryMs?: number;
}

/** Late enough to cost nothing, early enough for whoever has just unplugged. */
const BATTERY_MS = 30_000;

export function createPause({
  onChange,
  isOnBattery: read = isOnBattery,
  batteryMs = BATTERY_MS,
}: PauseDeps): PauseControl {
  let pause = NO_PAUSE;
  let snoozeTimer: NodeJS.Timeout | undefined;
  let batteryTimer: NodeJS.Timeout | undefined;
  let isWatching = false;

  return {
    now: () => pause,
    snooze(ms) {
      clearTimeout(snoozeTimer);
      if (ms > 0) snoozeTimer = setTimeout(() => change({ snoozedUntil: 0 }), ms);
      change({ snoozedUntil: ms > 0 ? Date.now() + ms : 0 });
    },
    watchBattery(wanted) {
      if (wanted === isWatching) return;
      isWatching = wanted;
      clearTimeout(batteryTimer);
      if (wanted) void look();
      else change({ isOnBattery: false });
    },
    dispose() {
      isWatching = false;
      clearTimeout(snoozeTimer);
      clearTimeout(batteryTimer);
    },
  };

  async function look(): Promise<void> {
    const is = (await read()) === true;
    if (!isWatching) return;
    change({ isOnBattery: is });
    batteryTimer = setTimeout(look, batteryMs);
  }

  function change(changed: Partial<Pause>): void {
    const before = pause;
    pause = { ...pause, ...changed };
    if (pause.snoozedUntil !== before.snoozedUntil || pause.isOnBattery !== before.isOnBattery) onChange();
  }
}
