/** `POST /v1/documents`: an unsaved buffer goes to the indexer, and from the index to every leg. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "@dhi/core/choose-workspace";
import type { DocumentRequest, DocumentResponse } from "@dhi/core/protocol";
import type { IndexerClient } from "./indexer-client.ts";
import type { Workspace } from "./workspace.ts";
import type { IndexerPlace } from "./workspaces.ts";

export interface DocumentDeps {
  readonly indexer: Pick<IndexerClient, "document">;
  readonly atIndexer: (place: Place<Workspace>) => IndexerPlace;
}

/** The instant tier reads one file in a few; while it reads a whole repository nobody waits for it. */
const INSTANT_MOST_MS = 100;

/** @returns when the next completion sees the buffer */
export async function putDocument(
  place: Place<Workspace>,
  document: DocumentRequest,
  { indexer, atIndexer }: DocumentDeps,
  signal: AbortSignal,
): Promise<DocumentResponse> {
  const answer = await indexer.document({ ...document, ...atIndexer(place) }, signal);
  // It alone keeps a copy of what is in the index.
  await Promise.race([
    place.workspace.instant.refresh(),
    sleep(INSTANT_MOST_MS, undefined, { signal, ref: false }),
  ]);
  return answer;
}
