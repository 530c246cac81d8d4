/** `GET /v1/skipped`: files that the index leaves out, by reason. Of such a file nothing but its name and size is told. */
import type { SkippedRequest, SkippedResponse } from "@dhi/core/files-protocol";
import { prepared } from "@dhi/core/index-db";
import type { Workspaces } from "../workspaces.ts";

const MAX_FILES = 200;

type Reason = SkippedResponse["reasons"][number];
type File = SkippedResponse["files"][number];

/** @throws {HttpError} for a workspace that is not served, or that must be named */
export function listSkipped(
  { workspace: name, reason, match = "", after }: SkippedRequest,
  workspaces: Pick<Workspaces, "placeOf">,
): SkippedResponse {
  const db = workspaces.placeOf({ workspace: name }).workspace.index.get();
  if (!db) return { reasons: [], files: [], next: null };
  const reasons = prepared<[string], Reason>(
    db,
    `SELECT skip_reason AS reason, count(*) AS files FROM files
     WHERE skip_reason IS NOT NULL AND instr(lower(path), lower(?)) > 0 GROUP BY 1 ORDER BY 2 DESC, 1`,
  ).all(match);
  const files = prepared<[{ after: string; match: string; reason: string | null; limit: number }], File>(
    db,
    `SELECT path, skip_reason AS reason, bytes FROM files
     WHERE path > @after AND skip_reason IS NOT NULL AND skip_reason = coalesce(@reason, skip_reason)
       AND instr(lower(path), lower(@match)) > 0
     ORDER BY path LIMIT @limit`,
  ).all({ after, match, reason: reason ?? null, limit: MAX_FILES + 1 });
  const shown = files.slice(0, MAX_FILES);
  return { reasons, files: shown, next: files.length > shown.length ? (shown.at(-1)?.path ?? null) : null };
}
