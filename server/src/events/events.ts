/** What became of suggestions, for the one who asks on this machine: stored when DHI_METRICS says so, else forgotten at once. */
import { join } from "node:path";
import type { CompletionEvent, StatsResponse, StoredEvent } from "@dhi/core/events-protocol";
import type { Logger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import type { ServerConfig } from "../config.ts";
import { createEventLog } from "./event-log.ts";
import { type EventStore, openEventStore } from "./event-store.ts";
import { createKnownAnswers, type KnownAnswers } from "./known-answers.ts";
import { NOTHING, statsSince } from "./stats.ts";

export interface Events {
  /** To be told of each answer, of which events may follow. */
  answered: KnownAnswers["add"];
  /** @returns whether they are stored now; never throws: no completion is worse for it */
  store(events: readonly CompletionEvent[]): boolean;
  stats(days: number): StatsResponse;
  /** The oldest first. */
  rows(days: number): Iterable<StoredEvent>;
  close(): void;
}

type EventSettings = Pick<ServerConfig, "DHI_HOME" | "DHI_METRICS" | "DHI_METRICS_DAYS" | "DHI_METRICS_MB">;

const DAY_MS = 86_400_000;

/** A folder that cannot be written only means that nothing is stored, which the log says. */
export function openEvents(config: EventSettings, log: Logger): Events {
  const store = config.DHI_METRICS ? open(config, log) : undefined;
  if (!store) return noEvents;
  const answers = createKnownAnswers();
  const lines = createEventLog({ ...limitsOf(config), dir: join(config.DHI_HOME, "events") });
  const since = (days: number) => Date.now() - days * DAY_MS;
  return {
    answered: answers.add,
    store(events) {
      try {
        lines.append(store.add(events, answers.get));
        return true;
      } catch (error) {
        log.warn(`events could not be stored: ${describeError(error)}`);
        return false;
      }
    },
    stats: (days) => ({ stored: true, days, ...statsSince(store.db, since(days)) }),
    rows: (days) => store.rows(since(days)),
    close: store.close,
  };
}

/** Of each, the database and the lines. */
const limitsOf = ({ DHI_METRICS_DAYS, DHI_METRICS_MB }: EventSettings) => ({
  ...{ days: DHI_METRICS_DAYS, maxBytes: DHI_METRICS_MB * 1024 * 1024 },
});

function open(config: EventSettings, log: Logger): EventStore | undefined {
  try {
    return openEventStore({ ...limitsOf(config), dir: config.DHI_HOME });
  } catch (error) {
    log.error(`DHI_METRICS=on, but events cannot be stored in ${config.DHI_HOME}: ${describeError(error)}`);
    return undefined;
  }
}

export const noEvents: Events = {
  answered() {},
  store: () => false,
  stats: (days) => ({
    ...{ stored: false, days, since: null, total: NOTHING },
    ...{ byLanguage: [], byModel: [], byMode: [], latency: [] },
  }),
  rows: () => [],
  close() {},
};
