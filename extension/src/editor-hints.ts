/** What the user looks at and edits besides the file of the cursor: paths and line numbers, never code. */
import { createRecentEdits, type LineChange } from "@dhi/client/recent-edits";
import { createRecentlyUsed } from "@dhi/client/recently-used";
import type { FimRequestInput } from "@dhi/core/protocol";
import type { Located } from "./locate-file.ts";

/** Files go by the addresses that the editor has for them. */
export interface EditorHints {
  /** A file is looked at. */
  used(file: string): void;
  /** Its editor was closed. */
  closed(file: string): void;
  edited(file: string, change: Omit<LineChange, "path">, nowMs: number): void;
  /**
   * @param at whose workspace the paths are of
   * @param placeOf where the server has a file by now; `undefined` when nothing of it may be sent
   */
  hints(
    at: Located,
    placeOf: (file: string) => Located | undefined,
    nowMs: number,
  ): Required<Pick<FimRequestInput, "openFiles" | "recentEdits">>;
}

const MOST_FILES = 20;

export function createEditorHints(): EditorHints {
  const files = createRecentlyUsed(MOST_FILES + 1);
  const edits = createRecentEdits();
  return {
    used: files.used,
    closed: files.closed,
    edited: (file, change, nowMs) => edits.changed({ path: file, ...change }, nowMs),
    hints(at, placeOf, nowMs) {
      /** @returns none or one, with its path in the workspace */
      const told = <T extends { readonly path: string }>(hint: T): T[] => {
        const place = placeOf(hint.path);
        return place && place.workspace === at.workspace ? [{ ...hint, path: place.path }] : [];
      };
      return {
        openFiles: files
          .list()
          .flatMap((path) => told({ path }))
          .map(({ path }) => path)
          .filter((path) => path !== at.path)
          .slice(0, MOST_FILES),
        recentEdits: edits.list(nowMs).flatMap(told),
      };
    },
  };
}
