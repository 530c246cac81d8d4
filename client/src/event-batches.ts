/** Sends events a few at a time. None is worth a retry, let alone a message: what cannot be sent is forgotten. */
import type { CompletionEvent } from "@dhi/core/events-protocol";

export interface EventBatches {
  add(event: CompletionEvent): void;
  /** Sends what there is. */
  flush(): void;
  /** Forgets what there is, and sends nothing any more. */
  dispose(): void;
}

/** As many as one request may have. */
const MOST = 100;
const DELAY_MS = 10_000;

export function createEventBatches(
  send: (events: readonly CompletionEvent[]) => Promise<unknown>,
  delayMs = DELAY_MS,
): EventBatches {
  let waiting: CompletionEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const events = waiting;
    waiting = [];
    if (events.length) send(events).catch(() => {});
  }

  return {
    add(event) {
      waiting.push(event);
      if (waiting.length >= MOST) flush();
      else timer ??= setTimeout(flush, delayMs);
    },
    flush,
    dispose() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
