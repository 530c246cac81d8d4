/** The server's codes in words, as a sentence goes on after "no suggestion:". English, and so the key of translations. */
import type { DegradeStep, DropReason } from "@dhi/core/protocol";

/** Why the server's checks show nothing of what an engine wrote. */
const DROPS = {
  blank: "the model had nothing to add",
  "multi-line": "it would only begin on the next line",
  "repeats-suffix": "the code after the cursor says it already",
  repetition: "it only repeated what is there",
  unbalanced: "its brackets or quotes would break the code around it",
  indentation: "no block here is indented like it",
  "prompt-text": "it only repeated the prompt",
  prose: "it talked about the code instead of writing it",
  secret: "it looked like a key or a password",
  "too-short": "it would save no key",
  "low-confidence": "the model was not sure enough of it",
  "repeats-usual": "the model had no other",
} satisfies Record<DropReason, string>;

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...DROPS,
    // With nothing to show there was no reason to drop anything.
    ok: DROPS.blank,
    overloaded: "the model cannot keep up right now",
    deadline: "it took too long",
    aborted: "it was no longer wanted",
    cancelled: "it was no longer wanted",
    superseded: "a newer request took its place",
  }),
);

/** What an engine that is slow is spared. */
const STEPS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    full: "all that is asked for",
    "short-prompt": "shorter prompts, because the model is slow",
    "one-line": "single lines, because the model is slow",
    "slow-typing": "asked less often, because the model is slow",
    instant: "answers without the model, which cannot keep up",
    skip: "no answers, because the model cannot keep up",
  } satisfies Record<DegradeStep, string>),
);

/** @param reason of a `FimDone` or of the server's counts; one that is not known here is words with dashes */
export const reasonWords = (reason: string): string => REASONS.get(reason) ?? inWords(reason);

/** @param step one that is not known here is words with dashes */
export const stepWords = (step: string): string => STEPS.get(step) ?? inWords(step);

const inWords = (code: string): string => code.replace(/[-_]+/g, " ");

/** All sentences, for who translates them. */
export const allWords: readonly string[] = [...new Set([...REASONS.values(), ...STEPS.values()])];
