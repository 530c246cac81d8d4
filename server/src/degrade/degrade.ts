/** A request as the engine can bear it now: what the ladder's step takes away is taken away here. */
import type { DegradeStep, EngineName, FimRequest } from "@dhi/core/protocol";
import type { CompletionDeps } from "../complete.ts";
import type { Engine } from "../engines/engine.ts";
import type { Queue } from "../generation/queue.ts";
import { createLadder, type Ladder, STEPS } from "./ladder.ts";
import { measured } from "./measured.ts";

export interface Degrade {
  /** Requests that a person made by hand, or that name their engine, are left as they are. */
  apply<T extends FimRequest>(request: T, deps: CompletionDeps): Degraded<T>;
  /** Of the engine that requests go to by default. */
  readonly now: Pick<Ladder, "now" | "detail">;
}

export interface Degraded<T extends FimRequest> {
  readonly request: T;
  readonly deps: CompletionDeps;
  readonly step: DegradeStep;
  /** How long an editor should wait after a keystroke; `null` for its own choice. */
  readonly debounceMs: number | null;
}

export interface DegradeOptions {
  /** The one that requests go to by default. */
  readonly engine: Pick<Engine, "name">;
  readonly instant: Engine;
  /** Calls that wait for an engine. */
  readonly waiting: (engine: Pick<Engine, "name">) => number;
  readonly onStep: (engine: EngineName, step: DegradeStep, detail: string) => void;
}

const SHORT_PROMPT_TOKENS = 1_024;
/** Three times the editor's own: a fast typist's pauses between words. */
const SLOW_DEBOUNCE_MS = 225;

export function createDegrade({ engine: usual, instant, waiting, onStep }: DegradeOptions): Degrade {
  const ladders = new Map<EngineName, Ladder>();

  function ladderOf(name: EngineName): Ladder {
    const ladder =
      ladders.get(name) ??
      createLadder({
        waiting: () => waiting({ name }),
        onStep: (step, detail) => onStep(name, step, detail),
      });
    ladders.set(name, ladder);
    return ladder;
  }

  return {
    get now() {
      return ladderOf(usual.name);
    },
    apply(request, deps) {
      const asIs = { request, deps, step: "full", debounceMs: null } as const;
      const engine = deps.engine(request);
      if (engine.name === "instant") return asIs;
      const ladder = ladderOf(engine.name);
      const measuring = { ...deps, engine: () => measured(engine, ladder) };
      if (request.trigger === "manual" || request.engine) return { ...asIs, deps: measuring };

      const { step } = ladder.step();
      const has = (one: DegradeStep) => STEPS.indexOf(step) >= STEPS.indexOf(one);
      const budgetTokens = has("short-prompt")
        ? Math.min(deps.budgetTokens, SHORT_PROMPT_TOKENS)
        : deps.budgetTokens;
      return {
        request: has("one-line") ? { ...request, singleLine: true } : request,
        deps: {
          ...measuring,
          budgetTokens,
          asksAhead: step === "full",
          ...(step === "instant" && { engine: () => instant }),
          // Not even in the queue that is too long.
          ...(step === "skip" && { engine: () => silent(engine), queue: () => NO_QUEUE }),
        },
        step,
        debounceMs: has("slow-typing") ? SLOW_DEBOUNCE_MS : null,
      };
    },
  };
}

const NO_QUEUE: Queue = {
  run: (_session, task) => task(),
  ...{ running: 0, waiting: 0, isIdle: false, usedAt: Number.NEGATIVE_INFINITY },
};

/** In place of an engine that has too much to do. */
const silent = ({ name, model, health, warmUp }: Engine): Engine => ({
  ...{ name, model, health, warmUp, readsPrompt: false },
  generate: async () => ({
    ...{ text: "", finish: "none", meanLogprob: null, confidence: null, firstTokenMs: null },
    usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
  }),
});
