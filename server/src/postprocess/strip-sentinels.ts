/** Cuts at the first stop or special token that came through, and all after it. */
import type { Step } from "./step.ts";

export const stripSentinels: Step = (text, { stop }) => {
  const found = stop.map((sentinel) => text.indexOf(sentinel)).filter((at) => at >= 0);
  return found.length ? text.slice(0, Math.min(...found)) : text;
};
