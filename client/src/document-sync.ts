/** Tells the server of unsaved buffers, so that completions in other files know what is in them. */
import type { DocumentRequest } from "@dhi/core/protocol";

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
  /** Until the next turn. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** What is being sent; the next turn comes after it. */
  sending: Promise<void>;
}

export function createDocumentSync({
  sessionId,
  send,
  idleMs = IDLE_MS,
  repeatMs = REPEAT_MS,
}: DocumentSyncDeps): DocumentSync {
  /** Those that are dirty, or were when they were sent last. */
  const tracked = new Map<string, Tracked>();
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
      const entry: Tracked = { buffer, isKnown: false, timer: undefined, sending: Promise.resolve() };
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
      for (const { timer } of tracked.values()) clearTimeout(timer);
      tracked.clear();
    },
  };

  function schedule(entry: Tracked, ms: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => turn(entry, () => put(entry)), ms);
  }

  /** One request of a buffer at a time, so that the newest is the last. */
  function turn(entry: Tracked, task: () => Promise<void>): void {
    entry.sending = entry.sending.then(task).catch(() => {});
  }

  async function put(entry: Tracked): Promise<void> {
    const { buffer } = entry;
    const { place, languageId } = buffer;
    // It may have been closed while another version was being sent.
    if (!place || tracked.get(buffer.id) !== entry) return;
    schedule(entry, repeatMs);
    const [version, content] = [buffer.version(), buffer.text()];
    if (content.length > MOST_CHARS) return;
    entry.isKnown = true;
    await send({ ...place, sessionId, version, content, languageId }, stopped.signal);
  }

  function forget(entry: Tracked): void {
    const { id, place, languageId } = entry.buffer;
    tracked.delete(id);
    clearTimeout(entry.timer);
    turn(entry, async () => {
      if (!place || !entry.isKnown || stopped.signal.aborted) return;
      await send({ ...place, sessionId, languageId, closed: true }, stopped.signal);
    });
  }
}

const isWanted = ({ place, isDirty }: OpenBuffer): boolean => place !== undefined && isDirty;

const samePlace = ({ place: a }: OpenBuffer, { place: b }: OpenBuffer): boolean =>
  a?.path === b?.path && a?.workspace === b?.workspace;
