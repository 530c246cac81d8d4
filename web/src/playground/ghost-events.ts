/** What became of ghost text, told to the server for as long as it keeps that: counts and times, never code. */
import { createEventBatches } from "@dhi/client/event-batches";
import { createShownTexts, type ShownTexts } from "@dhi/client/shown-text";
import type { EventsResponse } from "@dhi/core/events-protocol";
import { ask } from "../server/ask.ts";

export interface GhostEvents extends ShownTexts {
  /** The page is being left: what there is to tell is told. */
  leave(): void;
}

export function createGhostEvents(): GhostEvents {
  /** Until the server says that it is not (`DHI_METRICS`). */
  let isKept = true;
  const batches = createEventBatches(async (events) => {
    const body = { events };
    ({ stored: isKept } = await ask<EventsResponse>("/v1/events", { method: "POST", body, keepalive: true }));
  });
  const shown = createShownTexts((event) => {
    if (isKept) batches.add(event);
  });
  return {
    ...shown,
    leave() {
      shown.moved(undefined, performance.now());
      batches.flush();
    },
  };
}
