/**
 * What becomes of ghost text, seen from the changes of the document: editors tell who accepted what only to themselves.
 *
 * Text that appears at the cursor, begins as the ghost text does and is longer than a key is taken as accepted. A line end
 * that brings its indentation is a key.
 */
import { partners } from "./rest-of-answer.ts";

/** A suggestion as the document would hold it, with its line ends. Offsets in UTF-16 units from the document's start. */
export interface ShownText {
  readonly requestId: string;
  readonly languageId: string;
  /** Which document it is shown in. */
  readonly document: string;
  /** Where the editor's item begins: at the cursor, or at what the suggest widget would replace. */
  readonly start: number;
  readonly cursor: number;
  /** All of the item. */
  readonly text: string;
  /** So much of its beginning is the suggest widget's. */
  readonly selected: number;
  /** From the keystroke to the text. */
  readonly latencyMs: number;
  /** What the editor shows instead when it is asked for the next one. */
  readonly others: readonly { readonly requestId: string; readonly text: string }[];
}

/** A change as editors tell it: `length` units at `offset` made room for `text`. */
export interface TextChange {
  readonly document: string;
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** What happened to a suggestion that was seen. */
export type ShownEvent = Pick<ShownText, "requestId" | "languageId"> &
  (
    | { readonly event: "shown"; readonly chars: number; readonly latencyMs: number }
    /** `chars` counts all that was accepted of it so far. */
    | { readonly event: "accepted" | "partial"; readonly chars: number; readonly visibleMs: number }
    | { readonly event: "rejected"; readonly visibleMs: number }
  );

/** What a change was: the next key of the ghost text, all or the first words of it by one key, or something else. */
export type ChangeKind = "typed" | "accepted" | "partial" | "other";

export interface ShownTexts {
  /** Called when the editor gets a text to show. The rest of the one that is shown already is the same suggestion. */
  offer(text: ShownText, nowMs: number): void;
  changed(change: TextChange, nowMs: number): ChangeKind;
  /** The cursor is there now; `undefined`: in no editor. */
  moved(to: { readonly document: string; readonly offset: number } | undefined, nowMs: number): void;
}

/** Text that is gone sooner was not read. */
const SEEN_MS = 300;

interface Current extends ShownText {
  readonly since: number;
  readonly acceptedChars: number;
  readonly isTold: boolean;
}

/** @param tell called at once for what is accepted, else when the text is gone */
export function createShownTexts(tell: (event: ShownEvent) => void): ShownTexts {
  let current: Current | undefined;

  return {
    offer(offered, nowMs) {
      if (current && isRestOf(current, offered)) {
        const before = current.text.slice(0, current.cursor - current.start);
        // The editor may still have the item that began further left.
        const text = before + offered.text.slice(offered.cursor - offered.start);
        current = { ...current, text, others: offered.others };
        return;
      }
      reject(nowMs);
      current = { ...offered, since: nowMs, acceptedChars: 0, isTold: false };
    },
    changed(change, nowMs) {
      if (current?.document !== change.document || change.offset > current.cursor) return "other";
      if (change.offset + change.length < current.start) {
        const moved = change.text.length - change.length;
        current = { ...current, start: current.start + moved, cursor: current.cursor + moved };
        return "other";
      }
      if (isTakenBack(current, change)) {
        current = { ...current, cursor: change.offset };
        return "other";
      }
      current = theOneTaken(current, change);
      const taken = takenOf(current, change);
      if (taken) return take(current, taken, nowMs);
      reject(nowMs);
      return "other";
    },
    moved(to, nowMs) {
      if (to && current?.document === to.document && current.cursor === to.offset) return;
      reject(nowMs);
    },
  };

  function take(shown: Current, taken: string, nowMs: number): ChangeKind {
    const { requestId, languageId, start, selected, text } = shown;
    const cursor = shown.cursor + taken.length;
    const isAll = cursor - start >= text.length;
    const chars = cursor - Math.max(shown.cursor, start + selected);
    const isTyped = taken.length === 1 || taken.trim() === "" || chars <= 0;
    const acceptedChars = shown.acceptedChars + (isTyped ? 0 : chars);
    if (isTyped && isAll) tellShown(shown, nowMs);
    if (!isTyped) tellShown(shown, nowMs, true);
    current = isAll ? undefined : { ...shown, cursor, acceptedChars, isTold: shown.isTold || !isTyped };
    if (isTyped) return "typed";
    const event = isAll ? "accepted" : "partial";
    tell({ requestId, languageId, event, chars: acceptedChars, visibleMs: nowMs - shown.since });
    return event;
  }

  function reject(nowMs: number): void {
    const gone = current;
    current = undefined;
    // What was accepted in part was not turned down.
    if (!gone || gone.acceptedChars > 0 || !tellShown(gone, nowMs)) return;
    const { requestId, languageId, since } = gone;
    tell({ requestId, languageId, event: "rejected", visibleMs: nowMs - since });
  }

  /** @returns whether it was seen */
  function tellShown(shown: Current, nowMs: number, isSeen = nowMs - shown.since >= SEEN_MS): boolean {
    const { requestId, languageId, latencyMs, selected, text } = shown;
    if (isSeen && !shown.isTold)
      tell({ requestId, languageId, event: "shown", chars: text.length - selected, latencyMs });
    return isSeen;
  }
}

/** Or what has taken the place of its preview, which nobody turned down. */
const isRestOf = (shown: ShownText, { requestId, document, cursor }: ShownText): boolean =>
  shown.requestId === requestId && shown.document === document && shown.cursor === cursor;

/** Backspace over what was typed of it: the rest is shown on, and is longer again. */
const isTakenBack = ({ start, cursor }: ShownText, { offset, length, text }: TextChange): boolean =>
  text === "" && length > 0 && offset + length === cursor && offset >= start;

/** The editor has gone on to another one when that is what is in the document now. */
function theOneTaken(shown: Current, { offset, text }: TextChange): Current {
  if (text === shown.text || offset !== shown.start) return shown;
  const other = shown.others.find((one) => one.text === text);
  return other ? { ...shown, ...other } : shown;
}

/** @returns what of the rest is in the document now, or `undefined` when something else is */
function takenOf({ start, cursor, text }: ShownText, change: TextChange): string | undefined {
  const { text: inserted } = change;
  const before = cursor - change.offset;
  const [item, rest] = [text.slice(change.offset - start), text.slice(cursor - start)];
  if (change.offset >= start && inserted.length > before && item.startsWith(inserted))
    return inserted.slice(before);
  // An opening bracket comes with its partner.
  const key = inserted.slice(0, 1);
  const isPair = before === 0 && inserted.length === 2 && partners(key)[0] === inserted[1];
  return isPair && rest.startsWith(key) ? key : undefined;
}
