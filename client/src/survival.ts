/** What is left of accepted text some time later. It is read where it stands by then, and only its share is told. */
import type { CompletionEvent } from "@dhi/core/events-protocol";
import { keptOf } from "./edit-distance.ts";
import type { TextChange } from "./shown-text.ts";

export type SurvivedEvent = Extract<CompletionEvent, { event: "survived" }>;

export interface AcceptedText {
  readonly requestId: string;
  readonly languageId: string;
  readonly document: string;
  /** Where it begins now, in UTF-16 units from the start of the document. */
  readonly offset: number;
  readonly text: string;
}

export interface Survival {
  /**
   * The next part of a suggestion that was accepted in parts belongs to the part before it, which the editor may put in
   * once more, along with it. Called after `changed`.
   */
  accepted(text: AcceptedText, nowMs: number): void;
  changed(change: TextChange): void;
  /** Tells what is due by now. */
  check(nowMs: number): void;
  /** When the next check has something to tell; `undefined` when there is nothing to wait for. */
  readonly nextAt: () => number | undefined;
}

export interface SurvivalDeps {
  readonly tell: (event: SurvivedEvent) => void;
  /** @returns `undefined` when the document is not open any more: its text is followed no further */
  readonly read: (document: string, start: number, end: number) => string | undefined;
}

const AFTER_MS = [30_000, 120_000, 300_000, 600_000] as const;
/** Followed at once. Who accepts more in ten minutes is known well enough by these. */
const MOST = 50;

interface Followed {
  readonly accepted: AcceptedText;
  readonly since: number;
  /** Of `AFTER_MS`. */
  readonly next: number;
  readonly start: number;
  readonly end: number;
}

export function createSurvival({ tell, read }: SurvivalDeps): Survival {
  /** Oldest first. */
  let followed: readonly Followed[] = [];
  const dueAt = ({ since, next }: Followed) => since + (AFTER_MS[next] ?? Number.POSITIVE_INFINITY);

  return {
    accepted(accepted, nowMs) {
      const start = accepted.offset;
      const end = start + accepted.text.length;
      const before = followed.find(
        (one) => one.accepted.requestId === accepted.requestId && one.start <= start && start <= one.end,
      );
      if (!before) {
        followed = [...followed, { accepted, since: nowMs, next: 0, start, end }].slice(-MOST);
        return;
      }
      const part = before.accepted.text;
      const text = (start === before.end ? part : part.slice(0, start - before.start)) + accepted.text;
      const grown = { ...before, accepted: { ...before.accepted, text }, end };
      followed = followed.map((one) => (one === before ? grown : one));
    },
    changed(change) {
      followed = followed.map((one) =>
        one.accepted.document === change.document ? moved(one, change) : one,
      );
    },
    check(nowMs) {
      followed = followed.flatMap((one) => {
        if (dueAt(one) > nowMs) return [one];
        const { requestId, languageId, document, text } = one.accepted;
        const now = read(document, one.start, one.end);
        const afterMs = AFTER_MS[one.next];
        if (now === undefined || afterMs === undefined) return [];
        tell({ event: "survived", requestId, languageId, afterMs, kept: keptOf(text, now) });
        return one.next + 1 < AFTER_MS.length ? [{ ...one, next: one.next + 1 }] : [];
      });
    },
    nextAt: () => (followed.length ? Math.min(...followed.map(dueAt)) : undefined),
  };
}

/** A change that reaches into the text from outside belongs to it from then on. */
function moved(one: Followed, { offset, length, text }: TextChange): Followed {
  const grown = text.length - length;
  if (offset >= one.end) return one;
  if (offset + length <= one.start) return { ...one, start: one.start + grown, end: one.end + grown };
  return { ...one, start: Math.min(one.start, offset), end: Math.max(one.end, offset + length) + grown };
}
