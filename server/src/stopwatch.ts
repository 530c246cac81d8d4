/** Where a request's time goes. */
export type Stage = "queue" | "retrieval" | "prompt" | "engine" | "postprocess";

export interface Stopwatch {
  /** Ends a stage: it lasted from the end of the one before. */
  lap(stage: Stage): void;
  /** Milliseconds by stage, 0 for one that did not run. */
  laps(): Record<Stage, number>;
  /** Milliseconds since the start. */
  total(): number;
}

export function stopwatch(): Stopwatch {
  const start = performance.now();
  const laps: Record<Stage, number> = { queue: 0, retrieval: 0, prompt: 0, engine: 0, postprocess: 0 };
  let last = start;
  return {
    lap(stage) {
      const now = performance.now();
      laps[stage] += milliseconds(now - last);
      last = now;
    },
    laps: () => ({ ...laps }),
    total: () => milliseconds(performance.now() - start),
  };
}

/** To a hundredth: more digits are noise. */
const milliseconds = (ms: number) => Math.round(ms * 100) / 100;
