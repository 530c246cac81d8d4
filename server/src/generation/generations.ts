/**
 * What engines are writing and have written lately, found again by the text around the cursor: whoever types what was
 * suggested, deletes it again, or accepts it and goes on needs no new call.
 */
import type { Generation } from "./generation.ts";
import { isBefore, type KeptPlace, keptPlace, type Place, sameSuffix, typedSince } from "./place.ts";

export interface Match<About> {
  readonly generation: Generation<About>;
  /** What the prefix has beyond that of the call: the text starts with it, or, while it is short, may yet. */
  readonly typed: string;
}

export interface Generations<About = unknown> {
  /** @returns the newest whose text the place continues */
  find(place: Place): Match<About> | undefined;
  /** Whether there has been a call for just this place, whatever it wrote. */
  has(place: Place): boolean;
  add(place: Place, session: string, generation: Generation<About>): void;
  /** Calls of a session that are being made. */
  live(session: string): Generation<About>[];
  /** Aborts the calls of a session that nobody follows. */
  release(session: string): void;
  /** The same but for what the place goes on from, and for what is written for a place further on the way. */
  releaseOthers(session: string, place: Place): void;
  /** The same for all sessions. */
  releaseAll(): void;
  /** Of text held, in UTF-16 units. */
  readonly size: number;
}

export interface GenerationsOptions<About> {
  /** Whether a call that is over may answer others. */
  readonly isUsable?: (about: About) => boolean;
  /** UTF-16 units of text held at most. */
  readonly maxSize?: number;
  readonly maxEntries?: number;
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

const MAX_SIZE = 4 * 1024 * 1024;
/** Some 100 for each of 20 editors. */
const MAX_ENTRIES = 2_000;
/** The rest of the repository moves on, and with it what retrieval would bring. */
const MAX_AGE_MS = 120_000;

interface Entry<About> extends KeptPlace {
  readonly oneLine: boolean;
  readonly session: string;
  readonly generation: Generation<About>;
  readonly since: number;
  /** As it was counted when the call had ended; 0 before. */
  size: number;
}

export function createGenerations<About>({
  maxSize = MAX_SIZE,
  maxEntries = MAX_ENTRIES,
  maxAgeMs = MAX_AGE_MS,
  now = () => performance.now(),
  isUsable = () => true,
}: GenerationsOptions<About> = {}): Generations<About> {
  /** In the order in which they came; what is asked at each keystroke looks at those of one file, or at the live ones. */
  const entries = new Set<Entry<About>>();
  const byScope = new Map<string, Entry<About>[]>();
  const live = new Set<Entry<About>>();
  /** Of entries whose text grows no more. */
  let settledSize = 0;

  function settle(): void {
    for (const entry of live) {
      if (entry.generation.state === "live") continue;
      live.delete(entry);
      entry.size = sizeOf(entry);
      settledSize += entry.size;
    }
  }

  function liveSize(): number {
    let size = 0;
    for (const entry of live) size += sizeOf(entry);
    return size;
  }

  /** What is too old, and the oldest of what is too much. A live call stays: somebody may follow it. */
  function forget(): void {
    settle();
    const oldest = now() - maxAgeMs;
    const held = liveSize();
    for (const entry of entries) {
      const isTooMuch = settledSize + held > maxSize || entries.size > maxEntries;
      if (!isTooMuch && entry.since >= oldest) return;
      if (!live.has(entry)) remove(entry);
    }
  }

  function remove(entry: Entry<About>): void {
    entries.delete(entry);
    settledSize -= entry.size;
    const others = (byScope.get(entry.scope) ?? []).filter((one) => one !== entry);
    if (others.length) byScope.set(entry.scope, others);
    else byScope.delete(entry.scope);
  }

  /** The newest first. */
  function* at({ scope, oneLine }: Place): Generator<Entry<About>> {
    const oldest = now() - maxAgeMs;
    const own = byScope.get(scope) ?? [];
    for (let i = own.length - 1; i >= 0; i--) {
      const entry = own[i];
      if (entry && entry.since >= oldest && (oneLine || !entry.oneLine)) yield entry;
    }
  }

  function* liveEntries(session?: string): Generator<Entry<About>> {
    settle();
    for (const entry of live) if (session === undefined || entry.session === session) yield entry;
  }
  function* liveOf(session?: string): Generator<Generation<About>> {
    for (const { generation } of liveEntries(session)) yield generation;
  }

  return {
    find(place) {
      for (const entry of at(place)) {
        const { generation } = entry;
        if (generation.state !== "live" && !isUsable(generation.about)) continue;
        const typed = typedSince(entry, place);
        if (typed !== undefined && sameSuffix(entry, place, typed) && goesOn(generation, typed))
          return { generation, typed };
      }
      return undefined;
    },
    has(place) {
      for (const entry of at(place)) {
        if (typedSince(entry, place) === "" && sameSuffix(entry, place, "")) return true;
      }
      return false;
    },
    add(place, session, generation) {
      const kept = keptPlace(place);
      const { scope } = kept;
      const entry: Entry<About> = {
        ...kept,
        ...{ oneLine: place.oneLine, session, generation, since: now(), size: 0 },
      };
      entries.add(entry);
      live.add(entry);
      byScope.set(scope, [...(byScope.get(scope) ?? []), entry]);
      forget();
    },
    live: (session) => [...liveOf(session)],
    release(session) {
      for (const generation of liveOf(session)) generation.release();
    },
    releaseOthers(session, place) {
      for (const entry of liveEntries(session)) if (!mayBeWanted(entry, place)) entry.generation.release();
    },
    releaseAll() {
      for (const generation of liveOf()) generation.release();
    },
    get size() {
      settle();
      return settledSize + liveSize();
    },
  };
}

const sizeOf = ({ tail, head, generation }: Entry<unknown>): number =>
  tail.length + head.length + generation.text.length;

/** Whether the user may come to use the call from here: its place is on the way, or its text goes on from here. */
function mayBeWanted(entry: Entry<unknown>, place: Place): boolean {
  if (entry.scope !== place.scope) return false;
  const typed = typedSince(entry, place);
  if (typed !== undefined) return sameSuffix(entry, place, typed) && goesOn(entry.generation, typed);
  return isBefore(place, entry);
}

/** Whether the text goes on behind what was typed, or may yet. */
function goesOn({ text, state, generated }: Generation, typed: string): boolean {
  if (!text.startsWith(typed)) return state === "live" && typed.startsWith(text);
  const rest = text.slice(typed.length);
  if (state === "cut" || generated?.interrupted) return /\S[^\n]*\n/.test(rest);
  // A model that ended the text itself has nothing to add; one that ran out of tokens may.
  return state === "live" || generated?.finish === "stop" || rest.trim() !== "";
}
