/** What a leg of the server finds in files that the real chunker has read. */
import { atCursor } from "@dhi/core/testing/at-cursor";
import type { Found, Leg } from "@dhi/server/retrieval/leg";
import { retrievalQuery } from "@dhi/server/retrieval/query";
import { indexedFiles } from "./indexed-files.ts";

/** @param files path → text; that of `path` holds the cursor, and is indexed without it */
export async function foundBy(
  leg: Leg,
  files: Readonly<Record<string, string>>,
  path: string,
): Promise<Found[]> {
  const { prefix, suffix } = atCursor(files[path] ?? "");
  using index = indexedFiles({ ...files, [path]: prefix + suffix });
  const query = retrievalQuery({ path, prefix, suffix, openFiles: [], recentEdits: [] });
  return await leg(index.db, query, new AbortController().signal);
}
