/** The same engine, whose calls the ladder hears of: how long who asked has waited for it, and when it failed. */
import { isAbortError } from "@dhi/core/upstream-error";
import type { Engine, OnText } from "../engines/engine.ts";
import type { Ladder } from "./ladder.ts";

/** @param ladder gets the time from now on: waiting in the queue counts, which is the same to who waits */
export function measured(engine: Engine, ladder: Ladder): Engine {
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
