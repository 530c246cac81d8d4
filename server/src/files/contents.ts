/** `GET /v1/contents`: what the index holds by language, and what changed in it last. */
import type { ContentsRequest, ContentsResponse } from "@dhi/core/files-protocol";
import { prepared } from "@dhi/core/index-db";
import type { Workspaces } from "../workspaces.ts";

/** As many as are worth a look. A path that changes all the time counts once, so more changes are read than that. */
const MAX_CHANGED = 20;
const MAX_CHANGES = 500;

/** @throws {HttpError} for a workspace that is not served, or that must be named */
export function contentsOf(
  asked: ContentsRequest,
  workspaces: Pick<Workspaces, "placeOf">,
): ContentsResponse {
  const db = workspaces.placeOf(asked).workspace.index.get();
  if (!db) return { languages: [], lastChanged: [] };
  const languages = prepared<[], ContentsResponse["languages"][number]>(
    db,
    `SELECT live.language, count(*) AS files, sum(live.bytes) AS bytes, sum(chunks) AS chunks, sum(symbols) AS symbols
     FROM live JOIN blobs ON blobs.id = blob_id GROUP BY live.language ORDER BY files DESC, live.language`,
  ).all();
  const changes = prepared<[number], { path: string }>(
    db,
    "SELECT path FROM changes ORDER BY seq DESC LIMIT ?",
  ).all(MAX_CHANGES);
  const lastChanged = [...new Set(changes.map(({ path }) => path))].slice(0, MAX_CHANGED);
  return { languages, lastChanged };
}
