/** The files an editor says are open or were edited, as paths of the workspace that a request is about. */
import type { NamedRoots } from "@dhi/core/choose-workspace";
import type { FimRequest } from "@dhi/core/protocol";
import { toWorkspacePath } from "@dhi/core/workspace-path";

type EditorPaths = Pick<FimRequest, "openFiles" | "recentEdits">;

/** Leaves out what lies outside the workspace: an editor opens anything, and a completion does not fail for that. */
export function editorPaths({ roots }: NamedRoots, { openFiles, recentEdits }: EditorPaths): EditorPaths {
  const inside = (path: string) =>
    roots.map((root) => toWorkspacePath(root, path)).find((found) => found !== undefined && found !== "");
  return {
    ...(openFiles && { openFiles: openFiles.flatMap((path) => inside(path) ?? []) }),
    ...(recentEdits && {
      recentEdits: recentEdits.flatMap((edit) => {
        const path = inside(edit.path);
        return path === undefined ? [] : [{ ...edit, path }];
      }),
    }),
  };
}
