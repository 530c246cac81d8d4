/**
 * Edits in their order, one JSON object each: what a model of the next edit can be trained and measured on. They hold
 * code, so whoever writes them down does it on this machine only, and because the user asked for it.
 */
import type { TextChange } from "./shown-text.ts";

/** A file as it was before its first recorded edit. */
export interface Snapshot {
  /** Which document it is. */
  readonly document: string;
  readonly workspace?: string | undefined;
  /** From the workspace. */
  readonly path: string;
  readonly languageId: string;
  readonly text: () => string;
}

export interface EditRecorder {
  /** A file that may be recorded is shown. Its text is recorded once; edits of other files are not. */
  shown(file: Snapshot): void;
  changed(change: TextChange): void;
  /** It was closed, or may not be recorded any more. */
  ended(document: string): void;
}

/** Larger files are data, or generated. In UTF-16 units. */
const MOST_CHARS = 200_000;

/** @param write gets one line of JSON, without its line end */
export function createEditRecorder(
  write: (line: string) => void,
  now: () => number = Date.now,
): EditRecorder {
  const recorded = new Map<string, Pick<Snapshot, "workspace" | "path">>();
  const line = (entry: object) => write(JSON.stringify({ at: new Date(now()).toISOString(), ...entry }));
  return {
    shown({ document, workspace, path, languageId, text: read }) {
      if (recorded.has(document)) return;
      const text = read();
      if (text.length > MOST_CHARS) return;
      recorded.set(document, { workspace, path });
      line({ workspace, path, languageId, text });
    },
    changed({ document, offset, length, text }) {
      const file = recorded.get(document);
      if (file) line({ ...file, offset, length, text });
    },
    ended(document) {
      recorded.delete(document);
    },
  };
}
