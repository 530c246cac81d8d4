/** What the user looks at and edits besides the file of the cursor: paths and line numbers, never code. */
import { createRecentEdits, type LineChange } from "@dhi/client/recent-edits";
import { createRecentlyUsed } from "@dhi/client/recently-used";
import type { FimRequestInput } from "@dhi/core/protocol";
import type { Located } from "./locate-file.ts";

export interface EditorHints {
  /** A file that may be sent is looked at. */
  used(file: Located): void;
  /** Its editor was closed. */
  closed(file: Located): void;
  edited(file: Located, change: Omit<LineChange, "path">, nowMs: number): void;
  /**
   * @param at whose workspace the paths are of
   * @param mayBeSent settings may have changed since
   */
  hints(
    at: Located,
    mayBeSent: (file: Located) => boolean,
    nowMs: number,
  ): Required<Pick<FimRequestInput, "openFiles" | "recentEdits">>;
}

const MOST_FILES = 20;

export function createEditorHints(): EditorHints {
  const files = createRecentlyUsed(MOST_FILES + 1);
  const edits = createRecentEdits();
  return {
    used: (file) => files.used(keyOf(file)),
    closed: (file) => files.closed(keyOf(file)),
    edited: (file, change, nowMs) => edits.changed({ path: keyOf(file), ...change }, nowMs),
    hints(at, mayBeSent, nowMs) {
      const isHint = (file: Located) => file.workspace === at.workspace && mayBeSent(file);
      return {
        openFiles: files
          .list()
          .map(fileOfKey)
          .filter((file) => isHint(file) && file.path !== at.path)
          .map(({ path }) => path)
          .slice(0, MOST_FILES),
        recentEdits: edits
          .list(nowMs)
          .map(({ path: key, ...lines }) => ({ file: fileOfKey(key), lines }))
          .filter(({ file }) => isHint(file))
          .map(({ file: { path }, lines }) => ({ path, ...lines })),
      };
    },
  };
}

/** Names of workspaces have no colon, and paths may. */
const keyOf = ({ workspace, path }: Located): string => `${workspace ?? ""}:${path}`;

function fileOfKey(key: string): Located {
  const colon = key.indexOf(":");
  const [workspace, path] = [key.slice(0, colon), key.slice(colon + 1)];
  return workspace ? { workspace, path } : { path };
}
