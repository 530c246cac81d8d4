/**
 * How much is asked of an engine that cannot keep up: each step down asks less, so that there is ghost text in time, and
 * each step up is taken once it has been fast for a while.
 */

import { type DegradeStep, degradeStep } from "@dhi/core/protocol";

/** From all of it to nothing. Each step includes those before. */
export const STEPS: readonly DegradeStep[] = degradeStep.options;

export interface Ladder {
  /** For the next request. From `instant` on the engine is tried again now and then: `true` for that one request. */
  step(): { readonly step: DegradeStep; readonly isTrial: boolean };
  /** One call of the engine, from its order to its first text. A call given up before says how long it had taken. */
  answered(firstTextMs: number): void;
  gaveUp(afterMs: number): void;
  failed(): void;
  /** For people: what was measured, and what follows from it. */
  readonly detail: string;
  readonly now: DegradeStep;
}

export interface LadderOptions {
  readonly now?: () => number;
  /** Calls that wait for the engine. */
  readonly waiting?: () => number;
  readonly onStep?: (step: DegradeStep, detail: string) => void;
}

/** People type on after about a second (Copilot's clients give up on an answer at 1,200 ms): later text is seen by nobody. */
const SLOW_MS = 1_200;
/** Less than half: with the next step up a prompt may be twice as long. */
const FAST_MS = 500;
const LAST_CALLS = 5;
/** So many of the last calls have to fail before the engine is left alone. */
const FAILURES = 3;
/** One step up at most in this time, so that it does not swing. */
const HOLD_MS = 10_000;
const TRY_AGAIN_MS = 10_000;
const MAX_WAITING = 64;

export function createLadder({
  now = () => performance.now(),
  waiting = () => 0,
  onStep,
}: LadderOptions = {}): Ladder {
  let at = 0;
  let changedAt = now();
  let triedAt = now();
  /** Of the last calls, the newest last; infinite for one that failed. */
  let calls: number[] = [];

  const nameOf = (index: number): DegradeStep => STEPS[index] ?? "skip";
  const INSTANT = STEPS.indexOf("instant");

  function go(index: number): void {
    const target = Math.max(0, Math.min(INSTANT, index));
    if (target === at) return;
    at = target;
    changedAt = now();
    triedAt = now();
    const why = detail();
    // What was measured at the other step says nothing about this one.
    calls = [];
    onStep?.(nameOf(at), why);
  }

  function note(ms: number): void {
    calls = [...calls, ms].slice(-LAST_CALLS);
    if (at === INSTANT) {
      // It was the trial.
      if (ms <= SLOW_MS) go(at - 1);
      return;
    }
    const usual = middle(calls);
    if (calls.filter((one) => one === Number.POSITIVE_INFINITY).length >= FAILURES) go(INSTANT);
    else if (calls.length < LAST_CALLS) return;
    else if (usual > SLOW_MS) go(at + 1);
    else if (usual < FAST_MS && now() - changedAt >= HOLD_MS) go(at - 1);
  }

  function detail(): string {
    const failed = calls.filter((one) => one === Number.POSITIVE_INFINITY).length;
    if (failed) return `${failed} of the last ${calls.length} calls failed`;
    return calls.length ? `first text after ${Math.round(middle(calls))} ms` : "nothing measured yet";
  }

  return {
    step() {
      if (waiting() >= MAX_WAITING) return { step: "skip", isTrial: false };
      if (at !== INSTANT || now() - triedAt < TRY_AGAIN_MS) return { step: nameOf(at), isTrial: false };
      triedAt = now();
      return { step: nameOf(INSTANT - 1), isTrial: true };
    },
    answered: note,
    gaveUp(afterMs) {
      // Given up early it says nothing: the user typed on.
      if (afterMs > SLOW_MS) note(afterMs);
    },
    failed: () => note(Number.POSITIVE_INFINITY),
    get detail() {
      return detail();
    },
    get now() {
      return nameOf(at);
    },
  };
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
