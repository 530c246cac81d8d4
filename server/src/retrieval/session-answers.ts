/**
 * What the legs answered before, per editor session, file and scope: it stands in for a leg that is late, and what is late
 * goes on for the next keystroke. Requests without a session know nothing of it.
 */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { LegName } from "@dhi/core/protocol";
import { changedSince, lastChange } from "../index-changes.ts";
import type { Found } from "./leg.ts";
import type { RetrievalQuery } from "./query.ts";

/** One request of a session. */
export interface Visit {
  /** Fires when the session asks again: what this process has not yet done for this request is not done any more. */
  readonly signal: AbortSignal;
  /**
   * Asks a leg and keeps its answer. A {@link SLOW} one is not asked while it is still at work on the same scope, nor
   * when its answer to the same caret block still holds; it goes on when nobody waits, until it is asked in {@link MAX_RUNNING}
   * other scopes.
   */
  ask(leg: LegName, run: (signal: AbortSignal) => Promise<readonly Found[]>): Promise<readonly Found[]>;
  /** @returns what the leg last said in this scope, as far as it is still in the tree, where it lies now */
  before(leg: LegName): readonly Found[];
  /** Whether that is about the lines that stand above the cursor now, most of them. */
  isNearBefore(leg: LegName): boolean;
}

export interface SessionAnswers {
  visit(sessionId: string, db: IndexDb, query: RetrievalQuery): Visit;
}

/** They wait for other processes, so another's answer may take long and holds nothing up. */
export const SLOW: ReadonlySet<LegName> = new Set(["vector"]);
/** Chroma hears of a change a moment after `index.db` does, so an answer is not good for ever. */
const HOLDS_MS = 2_000;
const MAX_SESSIONS = 64;
/** Answers are some 100 KB a scope. */
const MAX_SCOPES = 6;
/** Where someone types, and where an accepted completion would take them. */
const MAX_RUNNING = 2;

interface Kept {
  readonly found: readonly Found[];
  readonly block: string;
  readonly db: IndexDb;
  /** What {@link lastChange} was when it was asked, and when that was. */
  readonly seq: number;
  readonly at: number;
}

interface Running {
  readonly db: IndexDb;
  readonly answer: Promise<readonly Found[]>;
  readonly controller: AbortController;
}

interface Session {
  last: AbortController;
  /** By leg and scope, the longest at work first. */
  readonly running: Map<LegName, Map<string, Running>>;
  readonly scopes: Map<string, Map<LegName, Kept>>;
}

export function createSessionAnswers(): SessionAnswers {
  const sessions = new Map<string, Session>();

  return {
    visit(sessionId, db, query) {
      const session = recent(sessions, sessionId, MAX_SESSIONS, newSession);
      session.last.abort();
      session.last = new AbortController();
      const { signal } = session.last;
      const scope = `${query.path}\0${query.scope}`;
      const kept = recent(session.scopes, scope, MAX_SCOPES, () => new Map<LegName, Kept>());

      async function askAndKeep(leg: LegName, asked: Promise<readonly Found[]>): Promise<readonly Found[]> {
        const now = { block: query.block, db, seq: lastChange(db), at: performance.now() };
        const found = await asked;
        const isNewest = now.at >= (kept.get(leg)?.at ?? 0);
        if (isNewest) kept.set(leg, { found, ...now });
        return found;
      }

      function askSlow(leg: LegName, run: (signal: AbortSignal) => Promise<readonly Found[]>) {
        const known = kept.get(leg);
        if (known && holds(known, db, query)) return Promise.resolve(stillThere(known, db));
        const running = session.running.get(leg) ?? new Map<string, Running>();
        session.running.set(leg, running);
        const same = running.get(scope);
        if (same?.db === db) return same.answer;
        // Of an index that has been replaced since.
        same?.controller.abort();
        running.delete(scope);
        for (const [oldest, { controller }] of running) {
          if (running.size < MAX_RUNNING) break;
          controller.abort();
          running.delete(oldest);
        }
        const controller = new AbortController();
        const answer = askAndKeep(leg, run(controller.signal));
        const mine: Running = { db, controller, answer };
        running.set(scope, mine);
        const done = () => {
          if (running.get(scope) === mine) running.delete(scope);
        };
        answer.then(done, done);
        return answer;
      }

      return {
        signal,
        ask: (leg, run) => (SLOW.has(leg) ? askSlow(leg, run) : askAndKeep(leg, run(signal))),
        before(leg) {
          const known = kept.get(leg);
          return known ? stillThere(known, db) : [];
        },
        isNearBefore(leg) {
          const known = kept.get(leg);
          return known !== undefined && known.db === db && sharesLines(known.block, query.block);
        },
      };
    },
  };
}

const newSession = (): Session => ({
  last: new AbortController(),
  running: new Map(),
  scopes: new Map(),
});

/** The entry of a key, made when there is none, and the longest unused one gone when they are too many. */
function recent<V>(map: Map<string, V>, key: string, max: number, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > max && !oldest.done) map.delete(oldest.value);
  return value;
}

/** The open file changes with each keystroke; an answer that holds no more because of it would never hold. */
function holds({ block, db: of, seq, at }: Kept, db: IndexDb, query: RetrievalQuery): boolean {
  if (block !== query.block || of !== db || performance.now() - at > HOLDS_MS) return false;
  return changedSince(db, seq)?.every((path) => path === query.path) ?? false;
}

/** Whether most lines of the one are in the other: a scope can be a whole file. */
function sharesLines(before: string, now: string): boolean {
  const lines = now.split("\n");
  const known = new Set(before.split("\n"));
  return lines.filter((line) => known.has(line)).length * 2 >= lines.length;
}

function stillThere({ found, db: of, seq }: Kept, db: IndexDb): readonly Found[] {
  // The index may have been replaced since the question.
  if (of !== db || !db.open) return [];
  const changed = changedSince(db, seq);
  if (changed === undefined) return [];
  const paths = new Set(changed);
  return found.flatMap((one) => (paths.has(one.path) ? (relocated(db, one) ?? []) : [one]));
}

/** @returns the snippet where the file has it now; `undefined` when it holds it no more */
function relocated(db: IndexDb, found: Found): Found | undefined {
  const row = prepared<[string, string], { line: number; text: string }>(
    db,
    `SELECT start_line AS line, text FROM live CROSS JOIN chunks USING (blob_id) JOIN texts ON texts.id = text_id
     WHERE live.path = ? AND instr(text, ?) > 0 ORDER BY ordinal LIMIT 1`,
  ).get(found.path, found.text);
  if (!row) return undefined;
  const startLine = row.line + row.text.slice(0, row.text.indexOf(found.text)).split("\n").length - 1;
  return { ...found, startLine, endLine: startLine + found.endLine - found.startLine };
}
