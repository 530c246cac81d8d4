/** What of a predicted line is worth showing. */
import { leaveOutRightOfCursor } from "./right-of-cursor.ts";

/** Less saves nobody a keystroke. Not counting white space. */
const MIN_VISIBLE = 3;

/** @returns "" when it says too little, or only what stands right of the cursor already */
export function suggestionOf(predicted: string, prefix: string, suffix: string): string {
  const text = leaveOutRightOfCursor(predicted, prefix, suffix).trimEnd();
  return visible(text) < MIN_VISIBLE ? "" : text;
}

const visible = (text: string): number => text.replaceAll(/\s/g, "").length;
