import type { Search } from "@dhi/server/graph/search-steps";

/** A search to its end, however slow the machine is; or, when its time is up from the start, what it has by then. */
export function searched<T>(search: Search<T>, isOver = false): T {
  let step = search.next(isOver);
  while (!step.done) step = search.next(isOver);
  return step.value;
}
