/**
 * Snippets for a completion: all legs in turn, fused, within a deadline. What fails is left out, and so is what is late
 * unless the session knows an earlier answer.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { ContextMode, FimRequest, LegName } from "@dhi/core/protocol";
import { withoutCode } from "@dhi/core/request-context";
import { describeError, isAbortError } from "@dhi/core/upstream-error";
import { fuse } from "./fuse.ts";
import type { IndexHandle } from "./index-handle.ts";
import type { Found, Leg } from "./leg.ts";
import { definitionsLeg } from "./legs/definitions.ts";
import { editsLeg } from "./legs/edits.ts";
import { lexicalLeg } from "./legs/lexical.ts";
import { siblingsLeg } from "./legs/siblings.ts";
import { similarLeg } from "./legs/similar.ts";
import { testsLeg } from "./legs/tests.ts";
import { vectorLeg } from "./legs/vector.ts";
import { type RetrievalQuery, retrievalQuery } from "./query.ts";
import { createSessionAnswers, SLOW, type Visit } from "./session-answers.ts";
import type { Snippet } from "./snippet.ts";
import type { VectorSearch } from "./vector.ts";

export interface Retrieval {
  /** Fused, best first; empty without an index, and in the modes that want no snippets. */
  readonly snippets: readonly Snippet[];
  /** What each leg found, best first, before fusion. */
  readonly found: ReadonlyMap<LegName, readonly Found[]>;
  /** Legs that were not waited for any longer; what `found` has of them is an earlier answer of the session. */
  readonly late: readonly LegName[];
  /** Milliseconds from the moment a leg was asked to its answer, or to the deadline. */
  readonly legMs: ReadonlyMap<LegName, number>;
  /** When that moment was, by `performance.now()`; of legs that were asked. */
  readonly legAt?: ReadonlyMap<LegName, number>;
}

export type Retrieve = (request: FimRequest, mode: ContextMode, signal: AbortSignal) => Promise<Retrieval>;

const NOTHING: Retrieval = { snippets: [], found: new Map(), late: [], legMs: new Map() };

export interface RetrieveDeps {
  readonly index: IndexHandle;
  readonly vectors: VectorSearch;
  readonly timeoutMs: number;
  /** How long a session's request waits for a slow leg that has said nothing of the place yet, by default 12. */
  readonly firstLookMs?: number;
  /** Asked for by requests that name none. */
  readonly legs: readonly LegName[];
  readonly log: Logger;
}

/**
 * Most of the 15 that a request may take in all, fusion included: the next keystroke is there long before a slow leg was
 * worth more of this one.
 */
const FIRST_LOOK_MS = 12;

export function createRetrieve({
  index,
  vectors,
  timeoutMs,
  firstLookMs = FIRST_LOOK_MS,
  legs: usual,
  log,
}: RetrieveDeps): Retrieve {
  const legs: Readonly<Partial<Record<LegName, Leg>>> = {
    vector: vectorLeg(vectors),
    definitions: definitionsLeg,
    siblings: siblingsLeg,
    tests: testsLeg,
    lexical: lexicalLeg,
    similar: similarLeg,
    edits: editsLeg,
  };
  const legsOf: Readonly<Record<ContextMode, readonly LegName[]>> = {
    // The vector leg waits for other processes, so it starts first.
    rag: ["vector", "definitions", "siblings", "tests", "lexical", "similar", "edits"],
    symbols: ["definitions"],
    simple: [],
    raw: [],
  };
  const complaints = createComplaints(log);
  const sessions = createSessionAnswers();

  async function runLeg(leg: LegName, db: IndexDb, query: RetrievalQuery, signal: AbortSignal) {
    return (await legs[leg]?.(db, query, signal)) ?? [];
  }

  async function answerOf(
    leg: LegName,
    answer: Promise<readonly Found[]>,
    deadline: AbortSignal,
  ): Promise<readonly Found[] | "late"> {
    try {
      const found = await abortable(answer, deadline);
      // Nothing proves nothing: a leg with nothing to look for asks nobody.
      if (found.length) complaints.over(leg);
      return found;
    } catch (error) {
      if (isTimeout(error)) return "late";
      if (!isAbortError(error)) complaints.log(leg, withoutCode(describeError(error)));
      return [];
    }
  }

  /** Slow legs get the time that the others take; at a place that they have said nothing of, some more. */
  async function patience(leg: LegName, others: Promise<unknown>, visit: Visit, sinceMs: number) {
    await others;
    // What has come meanwhile comes first.
    await nextTurn();
    const leftMs = firstLookMs - (performance.now() - sinceMs);
    if (leftMs > 0 && !visit.isNearBefore(leg)) await sleep(leftMs, undefined, { ref: false });
    return "late" as const;
  }

  return async (request, mode, signal) => {
    const sinceMs = performance.now();
    const db = index.get();
    const wanted = request.legs ?? (mode === "rag" ? usual : legsOf[mode]);
    const asked = legsOf[mode].filter((leg) => wanted.includes(leg));
    if (!db || !asked.length) return NOTHING;
    const query = retrievalQuery(request);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const visit = request.sessionId === undefined ? undefined : sessions.visit(request.sessionId, db, query);
    const legMs = new Map<LegName, number>();
    const legAt = new Map<LegName, number>();

    const answering = inTurns(asked, visit?.signal ?? deadline).map(([leg, turn]) => {
      let began: number | undefined;
      const asking = turn.then(() => {
        began = performance.now();
        legAt.set(leg, began);
        const run = (stop: AbortSignal) => runLeg(leg, db, query, stop);
        return visit ? visit.ask(leg, run) : run(deadline);
      });
      const time = <T>(answer: T) => {
        legMs.set(leg, began === undefined ? 0 : performance.now() - began);
        return answer;
      };
      return { leg, answer: answerOf(leg, asking, deadline), time };
    });
    const quick = Promise.all(answering.filter(({ leg }) => !SLOW.has(leg)).map(({ answer }) => answer));
    const answers = await Promise.all(
      answering.map(async ({ leg, answer, time }) => {
        const enough = visit && SLOW.has(leg) ? [patience(leg, quick, visit, sinceMs)] : [];
        return [leg, time(await Promise.race([answer, ...enough]))] as const;
      }),
    );
    signal.throwIfAborted();
    const late = answers.flatMap(([leg, answer]) => (answer === "late" ? [leg] : []));
    const found = new Map(
      answers.map(([leg, answer]) => {
        const known = answer === "late" ? (visit?.before(leg) ?? []) : answer;
        return [leg, known.filter(({ language }) => query.wants(language))];
      }),
    );
    return { snippets: fuse(found, { visible: query.visible }), found, late, legMs, legAt };
  };
}

/**
 * One leg per turn of the event loop, since most of them hold up this process: others are answered in between, and what
 * the first one asks of another process is on its way.
 */
function inTurns(legs: readonly LegName[], signal: AbortSignal): (readonly [LegName, Promise<void>])[] {
  let before = Promise.resolve();
  return legs.map((leg, i) => {
    const turn = i === 0 ? before : before.then(() => nextTurn(undefined, { signal }));
    before = turn;
    return [leg, turn];
  });
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
