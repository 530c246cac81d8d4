/** White space alone is nothing to show. */
import type { Step } from "./step.ts";

export const dropBlank: Step = (text) => (text.trim() === "" ? { drop: "blank" } : text);
