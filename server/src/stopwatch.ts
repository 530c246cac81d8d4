/** Where a request's time goes. */
export type Stage = "queue" | "retrieval" | "prompt" | "engine" | "postprocess";

/** A stage, or a part of one, each time that it ran. Its ends are told by `performance.now()`. */
export interface Span {
  readonly name: string;
  /** Of a part: the stage that it is of. */
  readonly of?: Stage;
  readonly from: number;
  readonly to: number;
}

export interface Stopwatch {
  /** Ends a stage: it lasted from the end of the one before. */
  lap(stage: Stage): void;
  /** A part of a stage, such as a leg of retrieval; parts may overlap. */
  part(span: Required<Span>): void;
  /** Milliseconds by stage, 0 for one that did not run. */
  laps(): Record<Stage, number>;
  /** What has run so far, in the order of its end. */
  readonly spans: readonly Span[];
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds since the start. */
  total(): number;
}

export function stopwatch(): Stopwatch {
  const startedAt = performance.now();
  const laps: Record<Stage, number> = { queue: 0, retrieval: 0, prompt: 0, engine: 0, postprocess: 0 };
  const spans: Span[] = [];
  let last = startedAt;
  return {
    startedAt,
    spans,
    lap(stage) {
      const now = performance.now();
      laps[stage] += milliseconds(now - last);
      spans.push({ name: stage, from: last, to: now });
      last = now;
    },
    part: (span) => void spans.push(span),
    laps: () => ({ ...laps }),
    total: () => milliseconds(performance.now() - startedAt),
  };
}

/** To a hundredth: more digits are noise. */
const milliseconds = (ms: number) => Math.round(ms * 100) / 100;
