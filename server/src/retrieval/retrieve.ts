/** Snippets for a completion: all legs at once, fused, within a deadline. What is late or fails is left out. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { ContextMode, FimRequest, LegName } from "@dhi/core/protocol";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import { fuse } from "./fuse.ts";
import type { IndexHandle } from "./index-handle.ts";
import { byRank, type Found, type Leg } from "./leg.ts";
import { definitionsLeg } from "./legs/definitions.ts";
import { lexicalLeg } from "./legs/lexical.ts";
import { type RetrievalQuery, retrievalQuery } from "./query.ts";
import type { Snippet } from "./snippet.ts";
import type { VectorSearch } from "./vector.ts";

export interface Retrieval {
  /** Fused, best first; empty without an index, and in the modes that want no snippets. */
  readonly snippets: readonly Snippet[];
  /** What each leg found, best first, before fusion. */
  readonly found: ReadonlyMap<LegName, readonly Found[]>;
  /** Legs that had not answered at the deadline. */
  readonly late: readonly LegName[];
}

export type Retrieve = (request: FimRequest, mode: ContextMode, signal: AbortSignal) => Promise<Retrieval>;

const NOTHING: Retrieval = { snippets: [], found: new Map(), late: [] };

export interface RetrieveDeps {
  readonly index: IndexHandle;
  readonly vectors: VectorSearch;
  readonly timeoutMs: number;
  readonly log: Logger;
}

const NEAREST = 24;

export function createRetrieve({ index, vectors, timeoutMs, log }: RetrieveDeps): Retrieve {
  const legs: Readonly<Partial<Record<LegName, Leg>>> = {
    // The vector leg waits for other processes, so it starts first.
    vector: async (db, query, signal) => byRank(await vectors.search(db, query.block, NEAREST, signal)),
    definitions: definitionsLeg,
    lexical: lexicalLeg,
  };
  const legsOf: Readonly<Record<ContextMode, readonly LegName[]>> = {
    rag: ["vector", "definitions", "lexical"],
    symbols: ["definitions"],
    simple: [],
    raw: [],
  };
  const complaints = createComplaints(log);

  async function runLeg(
    leg: LegName,
    db: IndexDb,
    query: RetrievalQuery,
    signal: AbortSignal,
  ): Promise<Found[] | "late"> {
    try {
      const found = await abortable(Promise.resolve(legs[leg]?.(db, query, signal) ?? []), signal);
      // Nothing proves nothing: a leg with nothing to look for asks nobody.
      if (found.length) complaints.over(leg);
      return found.filter(({ language }) => query.wants(language));
    } catch (error) {
      if (isTimeout(error)) return "late";
      if (!isAbortError(error)) complaints.log(leg, describeError(error));
      return [];
    }
  }

  return async (request, mode, signal) => {
    const db = index.get();
    const asked = legsOf[mode].filter((leg) => request.legs?.includes(leg) ?? true);
    if (!db || !asked.length) return NOTHING;
    const query = retrievalQuery(request);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const answers = await Promise.all(
      asked.map(async (leg, i) => {
        // The others hold up this process, so the first one's question should be on its way before.
        if (i > 0) await nextTurn();
        return [leg, await runLeg(leg, db, query, deadline)] as const;
      }),
    );
    signal.throwIfAborted();
    const found = new Map(answers.map(([leg, answer]) => [leg, answer === "late" ? [] : answer]));
    const late = answers.flatMap(([leg, answer]) => (answer === "late" ? [leg] : []));
    return { snippets: fuse(found, { visible: query.visible }), found, late };
  };
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

/** Settles with the signal at the latest, also when what is waited for does not listen to it. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** One line when a leg starts to fail and one when it is well again, not one per keystroke. */
function createComplaints(log: Logger) {
  const failing = new Set<LegName>();
  return {
    log(leg: LegName, message: string) {
      if (!failing.has(leg)) log.warn({ leg }, `completions go on without this leg: ${message}`);
      failing.add(leg);
    },
    over(leg: LegName) {
      if (failing.delete(leg)) log.info({ leg }, "leg is back");
    },
  };
}
