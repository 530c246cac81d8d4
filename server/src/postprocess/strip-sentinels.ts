/** Cuts at the first stop or special token that came through, whole or begun, and all after it. */
import type { Step } from "./step.ts";

/**
 * Special tokens as most families write them, and as `neutralise` writes those of the user's own code: this family may
 * have seen another's in training. Without pipes they are code somewhere (`<s>`, `[PREFIX]`), so only `stop` names those.
 */
const SENTINEL = /[<＜][|｜][\w▁/-]{1,40}[|｜]>/g;
/** A token that was cut off; less of it may be code. */
const BEGUN = /[<＜][|｜][a-z▁][\w▁]*[|｜]?$/;

export const stripSentinels: Step = (text, { request, stop }) => {
  const found = stop.map((sentinel) => text.indexOf(sentinel)).filter((at) => at >= 0);
  const isTheirs = (token: string) => request.prefix.includes(token) || request.suffix.includes(token);
  for (const { 0: token, index } of text.matchAll(SENTINEL)) if (!isTheirs(token)) found.push(index);
  const begun = BEGUN.exec(text);
  if (begun && !isTheirs(begun[0])) found.push(begun.index);
  return found.length > 0 ? text.slice(0, Math.min(...found)) : text;
};
