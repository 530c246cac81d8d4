/** What completed the last requests, so that events, which name a request alone, can be told apart by it. */
import type { FimDone, FimRequest } from "@dhi/core/protocol";

export interface KnownAnswer extends Pick<FimDone, "engine" | "model" | "mode" | "timings"> {
  readonly languageId: string;
}

export interface KnownAnswers {
  add(request: Pick<FimRequest, "languageId">, done: FimDone): void;
  /** @returns `undefined` for one that is forgotten, or was never made here */
  get(requestId: string): KnownAnswer | undefined;
}

/** Some 500 bytes each. Hours of one person's typing, and minutes of a large team's. */
const MAX_KNOWN = 5_000;

export function createKnownAnswers(maxKnown = MAX_KNOWN): KnownAnswers {
  const known = new Map<string, KnownAnswer>();
  return {
    add({ languageId }, { requestId, engine, model, mode, timings }) {
      known.delete(requestId);
      known.set(requestId, { languageId, engine, model, mode, timings });
      const [oldest] = known.keys();
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    },
    get: (requestId) => known.get(requestId),
  };
}
