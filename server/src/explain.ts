/** `GET /v1/explain`: the indexer says why; a path that no workspace holds is explained here. */
import { HttpError } from "@dhi/core/http-error";
import type { ExplainRequest, ExplainResponse } from "@dhi/core/protocol";
import type { IndexerClient } from "./indexer-client.ts";
import type { Workspaces } from "./workspaces.ts";

export interface ExplainDeps {
  readonly workspaces: Pick<Workspaces, "placeOf" | "atIndexer">;
  readonly indexer: Pick<IndexerClient, "explain">;
}

/** @throws {HttpError} for a workspace that is not served, or that must be named */
export async function explain(
  asked: ExplainRequest,
  { workspaces, indexer }: ExplainDeps,
  signal: AbortSignal,
): Promise<ExplainResponse> {
  try {
    const place = workspaces.placeOf(asked);
    return await indexer.explain(workspaces.atIndexer(place), signal);
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== "outside_workspace") throw error;
    return {
      ...{ path: asked.path, indexed: false, skipped: "outside", detail: error.message },
      hint: "`GET /v1/status` lists the folders that are served; `npm start -- --workspace DIR` or WORKSPACE sets them.",
    };
  }
}
