/** A search that pauses after each step, so that whoever runs it says how long it may go on and who else gets a turn. */
import { setImmediate } from "node:timers/promises";

/** Told at each pause whether its time is up; it then returns what it has found. */
export type Search<T> = Generator<void, T, boolean>;

/** How long a search keeps the process from everything else, completions above all. */
const TURN_MS = 5;

/**
 * Runs a search to its end, or until its time is up; every {@link TURN_MS} everything else gets a turn.
 *
 * @param mayGoOn asked after each turn of the others; when it says no, the search's time is up
 */
export async function inTurns<T>(
  search: Search<T>,
  budgetMs: number,
  mayGoOn: () => boolean = () => true,
): Promise<T> {
  const end = performance.now() + budgetMs;
  let turnEnd = performance.now() + TURN_MS;
  let isOver = false;
  let step = search.next(isOver);
  while (!step.done) {
    if (performance.now() >= turnEnd) {
      await setImmediate();
      turnEnd = performance.now() + TURN_MS;
      isOver = performance.now() >= end || !mayGoOn();
    }
    step = search.next(isOver);
  }
  return step.value;
}
