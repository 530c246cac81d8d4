/** One line per request for the output channel. Never code, and never a name from it. */
import type { IndexResponse } from "@dhi/core/protocol";
import type { Outcome } from "./complete-at-cursor.ts";

export function outcomeLine(outcome: Outcome): string {
  const { request } = outcome;
  if (outcome.kind === "failed") return `complete ${request.path}: ${outcome.error.message}`;
  const { answer, ms } = outcome;
  const what = answer.completion
    ? `${answer.completion.length} characters`
    : `no suggestion (${answer.reason})`;
  return `complete ${request.path}: ${what} in ${ms} ms, ${answer.engine} ${answer.model}, ${answer.sources.length} sources`;
}

export const indexedLine = (path: string, { indexed, skipped }: IndexResponse): string =>
  `index ${path}: ${skipped ? `skipped (${skipped})` : `${indexed} chunks`}`;
