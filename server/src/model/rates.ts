/** How fast engines read prompts and write text, measured from outside: from a call to its first text, and from there on. */
import type { EngineName } from "@dhi/core/protocol";
import type { Engine, Generated } from "../engines/engine.ts";

export interface Rates {
  /** Tokens of a prompt read in a second, without those that were cached; `null` until one was. */
  readonly prefill: number | null;
  /** Tokens written in a second; `null` until some were. */
  readonly decode: number | null;
  /** From a call to its first text, in milliseconds; `null` before the first call. */
  readonly firstTextMs: number | null;
  /** How many calls have told something. */
  readonly calls: number;
}

export interface RateLog {
  /** The same engine, whose calls are measured. */
  measured(engine: Engine): Engine;
  of(engine: EngineName): Rates;
}

/** The middle one counts: a model that had to be loaded first, or another program's moment, is no rate. */
const LAST_CALLS = 15;
/** Below these, what is measured is mostly the way to the engine and back. */
const LEAST_READ = 64;
const LEAST_WRITTEN = 4;

interface Samples {
  readonly prefill: number[];
  readonly decode: number[];
  readonly firstTextMs: number[];
  calls: number;
}

export function createRateLog(): RateLog {
  const byEngine = new Map<EngineName, Samples>();

  function note(engine: EngineName, { usage, firstTokenMs }: Generated, totalMs: number): void {
    if (firstTokenMs === null) return;
    const samples = byEngine.get(engine) ?? { prefill: [], decode: [], firstTextMs: [], calls: 0 };
    byEngine.set(engine, samples);
    samples.calls++;
    keep(samples.firstTextMs, firstTokenMs);
    const { promptTokens, cachedTokens, completionTokens } = usage;
    const read = (promptTokens ?? 0) - (cachedTokens ?? 0);
    if (cachedTokens !== null && read >= LEAST_READ) keep(samples.prefill, perSecond(read, firstTokenMs));
    // The first one was there with the prompt.
    const written = (completionTokens ?? 0) - 1;
    if (written >= LEAST_WRITTEN) keep(samples.decode, perSecond(written, totalMs - firstTokenMs));
  }

  return {
    measured(engine) {
      const measuring = {
        async generate(...asked: Parameters<Engine["generate"]>) {
          const startedAt = performance.now();
          const generated = await engine.generate(...asked);
          if (engine.name !== "instant") note(engine.name, generated, performance.now() - startedAt);
          return generated;
        },
      };
      // What else it is may change while it runs, so that each look goes through.
      return new Proxy(engine, {
        get: (of, key) => (key === "generate" ? measuring.generate : Reflect.get(of, key, of)),
      });
    },
    of(engine) {
      const samples = byEngine.get(engine);
      return {
        prefill: middle(samples?.prefill),
        decode: middle(samples?.decode),
        firstTextMs: middle(samples?.firstTextMs),
        calls: samples?.calls ?? 0,
      };
    },
  };
}

/** Text that came all at once tells of no rate. */
const perSecond = (tokens: number, ms: number): number | null => (ms > 0 ? (tokens / ms) * 1_000 : null);

function keep(values: number[], value: number | null): void {
  if (value === null) return;
  values.push(value);
  if (values.length > LAST_CALLS) values.shift();
}

function middle(values: readonly number[] = []): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
