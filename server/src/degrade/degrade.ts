/** A request as the engine can bear it now: what the ladder's step takes away is taken away here. */
import type { DegradeStep, EngineName, FimRequest } from "@dhi/core/protocol";
import { isAbortError } from "@dhi/core/upstream-error";
import type { CompletionDeps } from "../complete.ts";
import type { Engine, OnText } from "../engines/engine.ts";
import type { Queue } from "../generation/queue.ts";
import { createLadder, type Ladder, STEPS } from "./ladder.ts";

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

/** The same engine, whose calls the ladder hears of. */
function measured(engine: Engine, ladder: Ladder): Engine {
  // Waiting in the queue counts: it is the same to who waits.
  const startedAt = performance.now();
  return {
    get name() {
      return engine.name;
    },
    get model() {
      return engine.model;
    },
    get readsPrompt() {
      return engine.readsPrompt;
    },
    get obeysGrammar() {
      return engine.obeysGrammar ?? false;
    },
    get isPaid() {
      return engine.isPaid ?? false;
    },
    get slots() {
      return engine.slots;
    },
    preview: async (request) => engine.preview?.(request),
    health: (signal) => engine.health(signal),
    warmUp: (signal) => engine.warmUp(signal),
    async generate(input, options, signal) {
      let answered = false;
      const answer = () => {
        // With ENGINE=auto the tier without a model may have answered instead.
        if (!answered && engine.name !== "instant") ladder.answered(performance.now() - startedAt);
        answered = true;
      };
      const onText: OnText = (text, logprobs) => {
        answer();
        options.onText?.(text, logprobs);
      };
      try {
        const generated = await engine.generate(input, { ...options, onText }, signal);
        answer();
        return generated;
      } catch (error) {
        if (!isAbortError(error)) ladder.failed();
        else if (!answered) ladder.gaveUp(performance.now() - startedAt);
        throw error;
      }
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
