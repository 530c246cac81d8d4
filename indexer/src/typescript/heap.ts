/** How full this process's heap is. V8 ends a process that goes beyond its limit, so that is to be noticed before. */
import { getHeapStatistics } from "node:v8";

export interface Heap {
  /** Collects garbage when it has to, to be sure. */
  isNearlyFull(): boolean;
  /** What to say when one project is too much for it. */
  readonly tooSmall: string;
}

/** TypeScript reads whole files between two looks at the heap. */
const NEARLY_FULL = 0.8;

export function createHeap(limitMb: number): Heap {
  const isAbove = () => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    return used_heap_size > heap_size_limit * NEARLY_FULL;
  };
  return {
    isNearlyFull() {
      if (!isAbove()) return false;
      // There with --expose-gc.
      globalThis.gc?.();
      return isAbove();
    },
    tooSmall: `it needs more than ${limitMb} MB`,
  };
}
