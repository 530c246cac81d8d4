/** The tree as rows, top to bottom. */
import type { FilesResponse } from "@dhi/core/files-protocol";

export interface TreeRow {
  readonly kind: "folder" | "file" | "more";
  /** No two rows have the same: that of `more` is its folder's with a `/`. */
  readonly path: string;
  /** From 1. */
  readonly level: number;
  readonly isOpen: boolean;
  /** Among its siblings, from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
}

/**
 * @param folders what is known of each folder, by its path; `""` is the workspace
 * @param open folders that are unfolded; one that is not known yet has no rows below it
 */
export function treeRows(
  folders: ReadonlyMap<string, FilesResponse>,
  open: ReadonlySet<string>,
  under = "",
  level = 1,
): TreeRow[] {
  const here = folders.get(under);
  if (!here) return [];
  const siblings = here.folders.length + here.files.length + (here.more ? 1 : 0);
  const row = (kind: TreeRow["kind"], path: string, position: number): TreeRow => {
    const isOpen = kind === "folder" && open.has(path);
    return { kind, path, level, isOpen, position: position + 1, siblings };
  };
  const { folders: names, files } = here;
  return [
    ...names.flatMap((path, i) => {
      const folder = row("folder", path, i);
      return folder.isOpen ? [folder, ...treeRows(folders, open, path, level + 1)] : [folder];
    }),
    ...files.map(({ path }, i) => row("file", path, names.length + i)),
    ...(here.more ? [row("more", `${under}/`, siblings - 1)] : []),
  ];
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** @returns `""` for what lies in the workspace itself */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The outermost first. */
export function foldersAbove(path: string): string[] {
  const folder = folderOf(path);
  return folder ? [...foldersAbove(folder), folder] : [];
}

/**
 * What a key does in the tree, as the ARIA pattern for tree views has it.
 *
 * @returns the row to go to, or to fold or unfold; `undefined` for a key that means nothing here
 */
export function treeKey(
  key: string,
  rows: readonly TreeRow[],
  at: number,
): { readonly go: number } | { readonly toggle: string } | undefined {
  const row = rows[at];
  if (!row) return undefined;
  switch (key) {
    case "ArrowDown":
      return { go: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { go: Math.max(at - 1, 0) };
    case "Home":
      return { go: 0 };
    case "End":
      return { go: rows.length - 1 };
    case "ArrowRight":
      if (row.kind !== "folder") return undefined;
      return row.isOpen ? { go: Math.min(at + 1, rows.length - 1) } : { toggle: row.path };
    case "ArrowLeft": {
      if (row.isOpen) return { toggle: row.path };
      const parent = rows.findIndex(({ kind, path }) => kind === "folder" && path === folderOf(row.path));
      return parent < 0 ? undefined : { go: parent };
    }
    default:
      return undefined;
  }
}
