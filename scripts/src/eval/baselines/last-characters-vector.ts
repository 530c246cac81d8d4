/**
 * The nearest chunks by embedding, with the last 200 characters before the cursor as the query: how the original Dhi
 * retrieved (its server's `/complete`), with the embedder and chunks of today.
 */
import { searchResponse } from "@dhi/core/protocol";
import type { Baseline } from "../method.ts";

const QUERY_CHARS = 200;
const MOST = 20;

export const lastCharactersVector: Baseline = async ({ served, cursor }) => {
  const query = cursor.prefix.slice(-QUERY_CHARS).toWellFormed();
  if (!query.trim()) return [];
  const body = { workspace: cursor.package, query, mode: "vector", n_results: MOST };
  const { results } = searchResponse.parse(await served.post("/search", body));
  return results
    .filter(({ file_path }) => file_path !== cursor.path)
    .map(({ file_path, start_line, end_line, document }) => ({
      ...{ path: file_path, startLine: start_line, endLine: end_line, text: document },
    }));
};
