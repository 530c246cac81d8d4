/** One line per request for the output channel. Never code, and never a name from it. */
import type { IndexResponse } from "@dhi/core/protocol";
import type { Outcome } from "./complete-at-cursor.ts";
import type { Located } from "./locate-file.ts";

export function outcomeLine(outcome: Outcome): string {
  const { request } = outcome;
  const what = `complete ${nameOf(request)}`;
  if (outcome.kind === "failed") return `${what}: ${outcome.error.message}`;
  const { answer, ms } = outcome;
  const result = answer.completion
    ? `${answer.completion.length} characters`
    : `no suggestion (${answer.reason})`;
  return `${what}: ${result} in ${ms} ms, ${answer.engine} ${answer.model}, ${answer.sources.length} sources`;
}

export const indexedLine = (file: Located, { indexed, skipped }: IndexResponse): string =>
  `index ${nameOf(file)}: ${skipped ? `skipped (${skipped})` : `${indexed} chunks`}`;

/** Paths are relative to the workspace, and several may have the same. */
export const nameOf = ({
  workspace,
  path,
}: {
  readonly workspace?: string | undefined;
  readonly path: string;
}): string => (workspace === undefined ? path : `${workspace}: ${path}`);
