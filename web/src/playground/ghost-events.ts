/** What became of ghost text, told to a server that keeps that (`DHI_METRICS`), and to no other: counts and times, never code. */
import { createGhostFeed, type GhostFeed, type GhostFeedDeps } from "@dhi/client/ghost-feed";
import type { EventsResponse, StatsResponse } from "@dhi/core/events-protocol";
import { ask } from "../server/ask.ts";
import { startedAt } from "../server/server-state.ts";

/** @param read what stands there in a file of this page; `undefined` for one that is not open */
export function createGhostEvents(read: GhostFeedDeps["read"]): GhostFeed {
  /** What the server said to that, and since when it runs. */
  let asked: { readonly of: string | undefined; readonly isKept: Promise<boolean> } | undefined;
  /** Known to keep none: then nothing waits to be sent. */
  let isRefused = false;

  /** Asked once, and again of a server that was started anew: it may be set up otherwise. */
  function isKept(): Promise<boolean> {
    const of = startedAt.peek();
    if (asked && asked.of === of) return asked.isKept;
    isRefused = false;
    asked = { of, isKept: ask<StatsResponse>("/v1/stats", { query: { days: 1 } }).then(hear) };
    asked.isKept.catch(() => {
      asked = undefined;
    });
    return asked.isKept;
  }

  function hear({ stored }: Pick<StatsResponse, "stored">): boolean {
    isRefused = !stored;
    return stored;
  }

  return createGhostFeed({
    isOn() {
      void isKept();
      return !isRefused;
    },
    async send(events) {
      if (!(await isKept())) return;
      const body = { events };
      hear(await ask<EventsResponse>("/v1/events", { method: "POST", body, keepalive: true }));
    },
    read,
  });
}
