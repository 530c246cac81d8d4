/** Keeps special tokens that stand in the user's own code from acting as such. */
import type { FimFormat } from "./fim-format.ts";

/** From a printable ASCII character to its full-width form. */
const TO_FULL_WIDTH = 0xfee0;

const patterns = new WeakMap<FimFormat, RegExp>();

/**
 * Puts the full-width form of a token's first character (`<`, `[`) in its place: as long as before, so that offsets and
 * budgets hold, and visible, so that nothing invisible reaches the user's file should the model copy it.
 *
 * Only this family's tokens: another's are plain text to the model, and some are real code (`</s>` is HTML).
 */
export const neutralise = (text: string, format: FimFormat): string =>
  text.replace(patternOf(format), (token) => token.replace(/[!-~]/, toFullWidth));

const toFullWidth = (character: string): string =>
  String.fromCharCode(character.charCodeAt(0) + TO_FULL_WIDTH);

function patternOf(format: FimFormat): RegExp {
  const known = patterns.get(format);
  if (known) return known;
  const pattern = new RegExp(format.tokens.map(literally).join("|"), "g");
  patterns.set(format, pattern);
  return pattern;
}

const literally = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
