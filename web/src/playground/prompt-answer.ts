/** What the last request's prompt was made of: a dry run of it, asked for only while somebody looks. */
import type { PromptResponse } from "@dhi/core/protocol";
import { signal } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";
import { type Outcome, outcome } from "./playground-state.ts";

export interface PromptAnswer {
  readonly of: Outcome;
  readonly prompt: PromptResponse;
}

export const promptAnswer = signal<PromptAnswer | undefined>(undefined);
/** Why the last one could not be asked for. */
export const promptProblem = signal<string | undefined>(undefined);

/** So that somebody who types is not asked about for every key. */
const PAUSE_MS = 250;

/** To be called in an effect. @returns what ends it */
export function followPrompt(): (() => void) | undefined {
  const of = outcome.value;
  if (of?.kind !== "answered" || promptAnswer.peek()?.of === of) return undefined;
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const { sessionId: _, ...body } = of.request;
    ask<PromptResponse>("/v1/prompt", { method: "POST", body, signal: controller.signal })
      .then((prompt) => {
        promptAnswer.value = { of, prompt };
        promptProblem.value = undefined;
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        promptProblem.value = wordsOf(error);
      });
  }, PAUSE_MS);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
