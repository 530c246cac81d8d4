/** What of a predicted line is worth showing. */
import { leaveOutRightOfCursor } from "./right-of-cursor.ts";

/** Less saves nobody a keystroke. Not counting white space. */
const MIN_VISIBLE = 3;

/** @returns "" when it says too little, or only what stands right of the cursor already */
export function suggestionOf(predicted: string, prefix: string, suffix: string): string {
  const text = leaveOutRightOfCursor(predicted, prefix, suffix).trimEnd();
  return isVisible(text) ? text : "";
}

/** Whether it says enough to be shown. */
export const isVisible = (text: string): boolean => text.replaceAll(/\s/g, "").length >= MIN_VISIBLE;
