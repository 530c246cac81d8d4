/** What of the model's text is shown: an ordered list of steps, each one file. */
import { balanceBrackets } from "./balance-brackets.ts";
import { balanceQuotes } from "./balance-quotes.ts";
import { cutSuffixLines } from "./cut-suffix-lines.ts";
import { dropBlank } from "./drop-blank.ts";
import { dropRepetition } from "./drop-repetition.ts";
import { limitLines } from "./limit-lines.ts";
import type { DropReason, Step, StepContext } from "./step.ts";
import { stripSentinels } from "./strip-sentinels.ts";
import { trimSuffixOverlap } from "./trim-suffix-overlap.ts";

export type PostprocessReason = "ok" | DropReason;

export interface Postprocessed {
  /** A beginning of the middle; empty unless the reason is `ok`. */
  readonly text: string;
  readonly reason: PostprocessReason;
}

const steps: readonly Step[] = [
  stripSentinels,
  limitLines,
  cutSuffixLines,
  trimSuffixOverlap,
  dropRepetition,
  balanceQuotes,
  balanceBrackets,
  dropBlank,
];

/**
 * Runs the list until nothing is cut any more, for what one step leaves may concern an earlier one. Nothing right of
 * the cursor has to be deleted for the result to be right: it is inserted, and all else stays.
 */
export function postprocess(middle: string, context: StepContext): Postprocessed {
  let text = middle;
  for (;;) {
    const before = text;
    for (const step of steps) {
      const result = step(text, context);
      if (typeof result !== "string") return { text: "", reason: result.drop };
      text = result;
    }
    if (text === before) return { text, reason: "ok" };
  }
}
