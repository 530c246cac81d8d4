/** What every post-processing step is. */
import type { DropReason, FimRequest } from "@dhi/core/protocol";

export interface Dropped {
  readonly drop: DropReason;
}

export interface StepContext {
  readonly request: Pick<FimRequest, "prefix" | "suffix" | "singleLine" | "maxLines"> &
    Partial<Pick<FimRequest, "languageId" | "path" | "trigger">>;
  /** What the model may emit and the editor must not get: stops and special tokens (`leaksOf` of the format). */
  readonly stop: readonly string[];
  /** Files that the prompt named, the open one included, as it named them. */
  readonly promptPaths?: readonly string[];
  /** Mean natural log-probability of the tokens, when the engine tells. */
  readonly meanLogprob?: number | null;
  /** Least `meanLogprob` that is shown, for models that need another than the default. */
  readonly minMeanLogprob?: number | undefined;
}

/**
 * Shortens the text from its end, or drops it. Never changes, moves or adds a character, but for the steps that say so:
 * `takeCode` also takes away a beginning, `useLineEnds` and `fitIndentation` write line ends and indentation as the file
 * does. A step that gets its own result does nothing more.
 */
export type Step = (text: string, context: StepContext) => string | Dropped;
