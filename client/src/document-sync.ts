/** Tells the server of unsaved buffers, so that completions in other files know what is in them. */
import type { DocumentRequest } from "@dhi/core/protocol";
import { wireText } from "./wire-text.ts";

/** A file that is open in the editor. */
export interface OpenBuffer {
  /** Which one it is. */
  readonly id: string;
  /** `undefined` when nothing of it may be sent, or no server serves it. */
  readonly place: Pick<DocumentRequest, "workspace" | "path"> | undefined;
  readonly languageId: string;
  /** It differs from the file on the disk. */
  readonly isDirty: boolean;
  /** As they are now. */
  readonly version: () => number;
  readonly text: () => string;
}

export interface DocumentSync {
  /** It was changed, saved, reverted, renamed or excluded. */
  changed(buffer: OpenBuffer): void;
  closed(id: string): void;
  /** Sends all of them anew: the server has forgotten them. */
  resend(): void;
  /** Nobody is asked any more; the server forgets after a while. */
  dispose(): void;
}

export interface DocumentSyncDeps {
  /** One per editor window. */
  readonly sessionId: string;
  /** @throws when the server has not taken it: the next change tries again */
  readonly send: (request: DocumentRequest, signal: AbortSignal) => Promise<unknown>;
  readonly idleMs?: number;
  readonly repeatMs?: number;
}

/** Typing goes on for longer than that between two thoughts only. */
const IDLE_MS = 300;
/** The server forgets a buffer that it has not heard of for half an hour. */
const REPEAT_MS = 10 * 60_000;
/** UTF-16 units. The request must stay under 4 MiB, and JSON may take six bytes for one of them. */
const MOST_CHARS = 650_000;

interface Tracked {
  buffer: OpenBuffer;
  /** Whether the server has a version of it. */
  isKnown: boolean;
  /** When it is sent next, by `performance.now`; `timer` may end before, and is set again then. */
  dueAt: number;
  timer: { readonly is: ReturnType<typeof setTimeout>; readonly endsAt: number } | undefined;
  /** It will be sent as it is when its turn comes. */
  isInLine: boolean;
}

export function createDocumentSync({
  sessionId,
  send,
  idleMs = IDLE_MS,
  repeatMs = REPEAT_MS,
}: DocumentSyncDeps): DocumentSync {
  /** Those that are dirty, or were when they were sent last. */
  const tracked = new Map<string, Tracked>();
  /** The last request of each buffer that has one under way, by its id. */
  const lines = new Map<string, Promise<void>>();
  const stopped = new AbortController();

  return {
    changed(buffer) {
      const before = tracked.get(buffer.id);
      if (!isWanted(buffer)) {
        if (before) forget(before);
        return;
      }
      if (before && samePlace(before.buffer, buffer)) {
        before.buffer = buffer;
        schedule(before, idleMs);
        return;
      }
      if (before) forget(before);
      const entry: Tracked = { buffer, isKnown: false, dueAt: 0, timer: undefined, isInLine: false };
      tracked.set(buffer.id, entry);
      schedule(entry, idleMs);
    },
    closed(id) {
      const entry = tracked.get(id);
      if (entry) forget(entry);
    },
    resend() {
      for (const entry of tracked.values()) schedule(entry, 0);
    },
    dispose() {
      stopped.abort();
      for (const { timer } of tracked.values()) clearTimeout(timer?.is);
      tracked.clear();
    },
  };

  function schedule(entry: Tracked, ms: number): void {
    entry.dueAt = performance.now() + ms;
    // Each key puts it off: one timer that is set again when it ends costs less than one per key.
    if (!entry.timer || entry.timer.endsAt > entry.dueAt) setTimer(entry, ms);
  }

  function setTimer(entry: Tracked, ms: number): void {
    clearTimeout(entry.timer?.is);
    const endsAt = performance.now() + ms;
    entry.timer = { endsAt, is: setTimeout(() => timeIsUp(entry), ms) };
  }

  function timeIsUp(entry: Tracked): void {
    entry.timer = undefined;
    const left = entry.dueAt - performance.now();
    if (left > 0) setTimer(entry, left);
    else if (!entry.isInLine) {
      entry.isInLine = true;
      turn(entry, () => put(entry));
    }
  }

  /** One request of a buffer at a time, its closing before it was changed anew included, so that the newest is the last. */
  function turn({ buffer: { id } }: Tracked, task: () => Promise<void>): void {
    const last = (lines.get(id) ?? Promise.resolve())
      .then(task)
      .catch(() => {})
      .then(() => {
        if (lines.get(id) === last) lines.delete(id);
      });
    lines.set(id, last);
  }

  async function put(entry: Tracked): Promise<void> {
    entry.isInLine = false;
    const { buffer } = entry;
    const { place, languageId } = buffer;
    // It may have been closed while another version was being sent.
    if (!place || tracked.get(buffer.id) !== entry) return;
    schedule(entry, repeatMs);
    const [version, content] = [buffer.version(), wireText(buffer.text())];
    if (content.length > MOST_CHARS) return withdraw(entry);
    entry.isKnown = true;
    await send({ ...place, sessionId, version, content, languageId }, stopped.signal);
  }

  function forget(entry: Tracked): void {
    tracked.delete(entry.buffer.id);
    clearTimeout(entry.timer?.is);
    turn(entry, () => withdraw(entry));
  }

  /** The file on the disk counts again. */
  async function withdraw(entry: Tracked): Promise<void> {
    const { place, languageId } = entry.buffer;
    if (!place || !entry.isKnown || stopped.signal.aborted) return;
    entry.isKnown = false;
    await send({ ...place, sessionId, languageId, closed: true }, stopped.signal);
  }
}

const isWanted = ({ place, isDirty }: OpenBuffer): boolean => place !== undefined && isDirty;

const samePlace = ({ place: a }: OpenBuffer, { place: b }: OpenBuffer): boolean =>
  a?.path === b?.path && a?.workspace === b?.workspace;
