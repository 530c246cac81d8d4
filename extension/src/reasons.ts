/** The server's codes in words that follow "no suggestion:". */
import type { DegradeStep, DropReason, FimDone } from "@dhi/core/protocol";
import { t } from "./l10n.ts";

/** @returns why an answer shows nothing; `undefined` when it does, or when nobody is waiting for it any more */
export function silenceOf({
  completion,
  reason,
}: Pick<FimDone, "completion" | "reason">): string | undefined {
  return completion || SUPERSEDED.has(reason) ? undefined : reasonWords(reason);
}

/** @param reason of `FimDone` or of the server's counts; one that is not known here is words with dashes */
export const reasonWords = (reason: string): string => REASONS.get(reason)?.() ?? inWords(reason);

const inWords = (code: string): string => code.replace(/[-_]+/g, " ");

/** @param step one that is not known here is words with dashes */
export const stepWords = (step: string): string => STEPS.get(step)?.() ?? inWords(step);

/** Reasons that are no silence: the next request is under way already. */
const SUPERSEDED = new Set(["aborted", "cancelled", "superseded"]);

/** Words are looked up when they are needed: the translation is not known before. */
type Words = () => string;

const DROPS: Readonly<Record<DropReason, Words>> = {
  blank: () => t("the model had none"),
  "multi-line": () => t("it would only start on the next line"),
  "repeats-suffix": () => t("the code after the cursor says it already"),
  repetition: () => t("it only repeated what is there"),
  unbalanced: () => t("its brackets or quotes would break the code around it"),
  indentation: () => t("no block here is indented like it"),
  "prompt-text": () => t("it only repeated the prompt"),
  prose: () => t("it talked about the code instead of writing it"),
  secret: () => t("it looked like a key or password"),
  "too-short": () => t("it was one closing mark"),
  "low-confidence": () => t("the model was not sure enough"),
  "repeats-usual": () => t("the model had no other"),
};

const REASONS: ReadonlyMap<string, Words> = new Map<string, Words>(
  Object.entries({
    ...DROPS,
    ok: DROPS.blank,
    overloaded: () => t("the model cannot keep up right now"),
    aborted: () => t("it was no longer wanted"),
    cancelled: () => t("it was no longer wanted"),
    superseded: () => t("a newer request took its place"),
    deadline: () => t("it took too long"),
  }),
);

const STEPS: ReadonlyMap<string, Words> = new Map<string, Words>(
  Object.entries({
    full: () => t("all that was asked for"),
    "short-prompt": () => t("shorter prompts, because the model is slow"),
    "one-line": () => t("single lines, because the model is slow"),
    "slow-typing": () => t("asked less often, because the model is slow"),
    instant: () => t("answers without the model, which cannot keep up"),
    skip: () => t("no answers, because the model cannot keep up"),
  } satisfies Record<DegradeStep, Words>),
);
