/** Codes of the server as a sentence goes on after "Nothing shown:". */
import type { DegradeStep, DropReason } from "@dhi/core/protocol";

/** @param reason of a `FimDone` or of the server's counts; one that is not known here is words with dashes */
export const reasonWords = (reason: string): string => WORDS.get(reason) ?? reason.replace(/[-_]+/g, " ");

const DROPS: Readonly<Record<DropReason, string>> = {
  blank: "the engine had nothing to add",
  "multi-line": "it would only begin on the next line, and here only this line may be completed",
  "repeats-suffix": "the code right of or below the cursor says it already",
  repetition: "it only repeated itself, or the lines above",
  unbalanced: "its brackets or quotes would break the code around it",
  indentation: "no block here is indented like it",
  "prompt-text": "it only repeated the prompt",
  prose: "it talked about the code instead of writing it",
  secret: "it looked like a key or a password",
  "too-short": "accepting it would take as many keys as typing it",
  "low-confidence": "the model was not sure enough of it",
  "repeats-usual": "asked for another answer, the engine gave the same one",
};

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...DROPS,
    // With nothing to show there was no reason to drop anything.
    ok: DROPS.blank,
    overloaded: "the engine cannot keep up right now",
    deadline: "it took too long",
    aborted: "it was no longer wanted",
    cancelled: "it was no longer wanted",
    superseded: "a newer request took its place",
  }),
);

export const stepWords = (step: DegradeStep): string => STEPS[step];

const STEPS: Readonly<Record<DegradeStep, string>> = {
  full: "all that is asked for",
  "short-prompt": "shorter prompts, because the engine is slow",
  "one-line": "single lines, because the engine is slow",
  "slow-typing": "asked less often, because the engine is slow",
  instant: "answers without the model, which cannot keep up",
  skip: "no answers, because the engine cannot keep up",
};
