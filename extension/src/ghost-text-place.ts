/** Where ghost text may appear, by what kind of document it is. */

/**
 * The documents that completions are offered for. All others are left out on purpose: the input of source control, of
 * comments and of searches, output panes, VS Code's own settings (which may hold tokens), the old side of a diff, and
 * files of virtual file systems, which no server on this machine serves. A rename box is no document at all.
 */
export const SCHEMES = ["file", "untitled", "vscode-notebook-cell"] as const;

/** What of VS Code's `Uri` is needed. */
export interface DocumentUri {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
}

/**
 * A new file counts as one in the first open folder, which is where VS Code offers to save it: whoever begins a file in
 * a repository wants its names. It is never in the index, since only `/v1/fim` is told of it. A cell of a notebook counts
 * as the notebook.
 *
 * @param firstFolder its path; `undefined` when none is open
 * @returns an absolute path, or `undefined` when the document belongs nowhere
 */
export function fileOf(uri: DocumentUri, firstFolder: string | undefined): string | undefined {
  if (!SCHEMES.some((scheme) => scheme === uri.scheme)) return undefined;
  if (uri.path.startsWith("/")) return uri.fsPath;
  return firstFolder === undefined ? undefined : `${firstFolder.replace(/[\\/]+$/, "")}/${uri.path}`;
}

/** Whether its unsaved text stands for a file of the workspace: not a cell's, nor that of a file that is not there. */
export const isFile = ({ scheme }: Pick<DocumentUri, "scheme">): boolean => scheme === "file";
