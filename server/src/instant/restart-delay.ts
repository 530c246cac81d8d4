/** How long to wait before what ended by itself is started again. */

/** What ended it may have passed meanwhile, such as want of memory. */
const MOST_MS = 300_000;

/**
 * @param firstMs twice as long after each end that follows soon
 * @returns how long to wait, in milliseconds; to be asked once at each end
 */
export function createRestartDelay(firstMs: number): (livedMs: number) => number {
  let next = firstMs;
  return (livedMs) => {
    if (livedMs > MOST_MS) next = firstMs;
    const now = next;
    next = Math.min(MOST_MS, 2 * next);
    return now;
  };
}
