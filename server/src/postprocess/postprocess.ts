/** What of the model's text is shown: an ordered list of steps, each one file. */
import type { DropReason } from "@dhi/core/protocol";
import { balanceBrackets } from "./balance-brackets.ts";
import { balanceLiterals } from "./balance-literals.ts";
import { balanceQuotes } from "./balance-quotes.ts";
import { balanceTags } from "./balance-tags.ts";
import { cutBrokenCharacters } from "./cut-broken-characters.ts";
import { cutPromptText } from "./cut-prompt-text.ts";
import { cutSuffixLines } from "./cut-suffix-lines.ts";
import { dropBlank } from "./drop-blank.ts";
import { dropRepetition } from "./drop-repetition.ts";
import { dropSecrets } from "./drop-secrets.ts";
import { dropShort } from "./drop-short.ts";
import { dropUnsure } from "./drop-unsure.ts";
import { fitIndentation } from "./fit-indentation.ts";
import { keepBlocks } from "./keep-blocks.ts";
import { limitLines } from "./limit-lines.ts";
import type { Step, StepContext } from "./step.ts";
import { stripSentinels } from "./strip-sentinels.ts";
import { takeCode } from "./take-code.ts";
import { trimSuffixOverlap } from "./trim-suffix-overlap.ts";
import { useLineEnds } from "./use-line-ends.ts";

export type PostprocessReason = "ok" | DropReason;

export interface Postprocessed {
  /**
   * A beginning of the middle, or of the code in it; but for line ends and indentation, as it was written. Empty unless
   * the reason is `ok`.
   */
  readonly text: string;
  readonly reason: PostprocessReason;
}

/** First what is no code at all, then how it is written, then how much of it stays, then whether that is worth showing. */
const steps: readonly Step[] = [
  dropUnsure,
  cutBrokenCharacters,
  stripSentinels,
  cutPromptText,
  takeCode,
  useLineEnds,
  fitIndentation,
  limitLines,
  cutSuffixLines,
  trimSuffixOverlap,
  dropRepetition,
  balanceLiterals,
  balanceQuotes,
  balanceBrackets,
  balanceTags,
  keepBlocks,
  dropBlank,
  dropShort,
  dropSecrets,
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
