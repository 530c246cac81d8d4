/** The server's codes in the user's language. */
import * as english from "@dhi/client/reason-words";
import type { FimDone } from "@dhi/core/protocol";
import { t } from "./l10n.ts";

/** @returns why an answer shows nothing; `undefined` when it does, or when nobody is waiting for it any more */
export function silenceOf({
  completion,
  reason,
}: Pick<FimDone, "completion" | "reason">): string | undefined {
  return completion || SUPERSEDED.has(reason) ? undefined : reasonWords(reason);
}

export const reasonWords = (reason: string): string => t(english.reasonWords(reason));

export const stepWords = (step: string): string => t(english.stepWords(step));

/** Reasons that are no silence: the next request is under way already. */
const SUPERSEDED = new Set(["aborted", "cancelled", "superseded"]);
