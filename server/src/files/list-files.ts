/** `GET /v1/files`: folders and files as the index has them, a folder at a time. */
import type { FilesRequest, FilesResponse } from "@dhi/core/files-protocol";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Workspaces } from "../workspaces.ts";

/** What one folder may show, and one look for a name: beyond it nobody reads on. */
const MAX_ENTRIES = 2_000;
const MAX_MATCHES = 200;

type File = FilesResponse["files"][number];

/**
 * @returns nothing while there is no index, and for a folder that is not in it
 * @throws {HttpError} for a workspace that is not served, or that must be named, and for a folder outside of it
 */
export function listFiles(
  { workspace: name, under, match }: FilesRequest,
  workspaces: Pick<Workspaces, "placeOf">,
): FilesResponse {
  const { workspace, path } = workspaces.placeOf({ workspace: name, path: under || ".", field: "under" });
  const db = workspace.index.get();
  if (!db) return { folders: [], files: [], more: false };
  const prefix = path && `${path}/`;
  return match === undefined ? entriesOf(db, prefix) : matches(db, prefix, match);
}

/** One look-up for each entry, however much lies below it. */
function entriesOf(db: IndexDb, prefix: string): FilesResponse {
  const next = prepared<[string, string], File>(
    db,
    "SELECT path, language, bytes FROM live WHERE path > ? AND path < ? ORDER BY path LIMIT 1",
  );
  const folders: string[] = [];
  const files: File[] = [];
  let file = next.get(prefix, lastBelow(prefix));
  while (file && folders.length + files.length < MAX_ENTRIES) {
    const slash = file.path.indexOf("/", prefix.length);
    if (slash < 0) files.push(file);
    else folders.push(file.path.slice(0, slash));
    file = next.get(slash < 0 ? file.path : lastBelow(file.path.slice(0, slash + 1)), lastBelow(prefix));
  }
  return { folders, files, more: file !== undefined };
}

function matches(db: IndexDb, prefix: string, match: string): FilesResponse {
  const files = prepared<[string, string, string, number], File>(
    db,
    `SELECT path, language, bytes FROM live WHERE path > ? AND path < ? AND instr(lower(path), lower(?)) > 0
     ORDER BY length(path), path LIMIT ?`,
  ).all(prefix, lastBelow(prefix), match, MAX_MATCHES + 1);
  return { folders: [], files: files.slice(0, MAX_MATCHES), more: files.length > MAX_MATCHES };
}

/** After every path with this prefix, in SQLite's order: that of the bytes of UTF-8. */
const lastBelow = (prefix: string): string => `${prefix}\u{10FFFF}`;
