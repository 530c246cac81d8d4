/** What became of suggestions, for those who want to know. To their own server, and never code. */
import type { CompletionEvent } from "@dhi/core/events-protocol";
import { createEventBatches } from "./event-batches.ts";
import { type ChangeKind, createShownTexts, type ShownText, type TextChange } from "./shown-text.ts";
import { createSurvival, type SurvivalDeps } from "./survival.ts";

export interface GhostFeed {
  offer(text: ShownText, nowMs: number): void;
  /** @returns what the change was to the text that is shown, whether anybody is told or not */
  changed(change: TextChange, nowMs: number): ChangeKind;
  moved(to: { readonly document: string; readonly offset: number } | undefined, nowMs: number): void;
  /** The editor is being left, perhaps to come back: what there is to tell by now is sent. */
  leave(): void;
  dispose(): void;
}

export interface GhostFeedDeps {
  /** Asked for each event, and again before some are sent: switched off, nothing is kept or sent. */
  readonly isOn: () => boolean;
  readonly send: (events: readonly CompletionEvent[]) => Promise<unknown>;
  /** @returns `undefined` when the document is not open any more, or may not be told of by now */
  readonly read: SurvivalDeps["read"];
}

export function createGhostFeed({ isOn, send, read }: GhostFeedDeps): GhostFeed {
  const batches = createEventBatches(async (events) => isOn() && send(events));
  const survival = createSurvival({ tell, read });
  const shown = createShownTexts((event) => {
    last = event;
    tell({ ...event, ...("visibleMs" in event && { visibleMs: Math.round(event.visibleMs) }) });
  });
  /** Whose text the change at hand has put in. */
  let last: Pick<ShownText, "requestId" | "languageId"> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    offer: shown.offer,
    changed(change, nowMs) {
      survival.changed(change);
      const kind = shown.changed(change, nowMs);
      if ((kind === "accepted" || kind === "partial") && last && isOn()) {
        const { requestId, languageId } = last;
        survival.accepted({ requestId, languageId, ...change }, nowMs);
        waitForSurvival();
      }
      return kind;
    },
    moved: shown.moved,
    leave,
    dispose() {
      clearTimeout(timer);
      leave();
      batches.dispose();
    },
  };

  function leave(): void {
    shown.moved(undefined, performance.now());
    batches.flush();
  }

  function tell(event: CompletionEvent): void {
    if (isOn()) batches.add(event);
  }

  function waitForSurvival(): void {
    clearTimeout(timer);
    const at = survival.nextAt();
    if (at === undefined) return;
    timer = setTimeout(
      () => {
        survival.check(performance.now());
        waitForSurvival();
      },
      Math.max(0, at - performance.now()) + 1,
    );
  }
}
