/** What every post-processing step is. */
import type { FimRequest } from "@dhi/core/protocol";

/** Why a completion is not shown. */
export type DropReason =
  /** Nothing but white space. */
  | "blank"
  /** It starts on the next line, where only this line may be completed. */
  | "multi-line"
  /** The code right of or below the cursor says it already. */
  | "repeats-suffix"
  /** It goes round in circles, or repeats the lines above the cursor. */
  | "repetition";

export interface Dropped {
  readonly drop: DropReason;
}

export interface StepContext {
  readonly request: Pick<FimRequest, "prefix" | "suffix" | "singleLine" | "maxLines"> &
    Partial<Pick<FimRequest, "languageId">>;
  /** What the model may emit and the editor must not get: stops and special tokens (`leaksOf` of the format). */
  readonly stop: readonly string[];
}

/** Shortens the text from its end, or drops it. Never changes, moves or adds a character. */
export type Step = (text: string, context: StepContext) => string | Dropped;
