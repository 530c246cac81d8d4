/** Whether queries are embedded as the index was: vectors of another length are found nowhere. */
import { readMeta } from "@dhi/core/index-db";
import { vectorLength } from "@dhi/core/vector-blob";
import type { ServerConfig } from "../config.ts";
import type { Workspace } from "../workspace.ts";
import { type DoctorCheck, type Finding, fail, ok, type Setup, warn, worstOf } from "./check.ts";

/** As the index names the built-in one. */
const HASH = /^hash\b/;

export const embedder: DoctorCheck = {
  ...{ id: "embedder", title: "Embedder" },
  async look({ config, indexed, workspaces, inCompose }, signal) {
    const pull = inCompose ? "docker compose up models" : `ollama pull ${config.EMBED_MODEL}`;
    const statuses = await indexed().catch(() => undefined);
    const made = (statuses ?? []).map(({ embedder, pendingEmbeddings }): Finding => {
      const words = `${embedder.id}: ${embedder.detail}`;
      if (embedder.status === "down") return warn(words, pull);
      if (config.EMBEDDER === "auto" && HASH.test(embedder.id)) return warn(words, pull);
      return ok(pendingEmbeddings ? `${words}, ${pendingEmbeddings} texts to embed` : words);
    });
    const lengths = await Promise.all(
      workspaces.map((workspace) => lengthsAgree(workspace, { ...config, inCompose }, signal)),
    );
    const found = [...made, ...lengths.flatMap((one) => one ?? [])];
    if (found.length) return worstOf(found);
    return warn(statuses ? "unknown: there is no index yet" : "unknown while the indexer does not answer");
  },
};

/** @returns `undefined` while one of both is not known */
async function lengthsAgree(
  { name, index }: Workspace,
  { CHROMA_HOST, inCompose }: Pick<ServerConfig, "CHROMA_HOST"> & Pick<Setup, "inCompose">,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const db = index.get();
  const collection = db && readMeta(db, "collection");
  const id = db && readMeta(db, "embedder");
  if (!db || !collection || !id) return undefined;
  const row = db
    .prepare<[string], { vector: Buffer }>("SELECT vector FROM embeddings WHERE embedder = ? LIMIT 1")
    .get(id);
  const url = urlOf(collection, CHROMA_HOST);
  const stored = await dimensionAt(url, signal).catch(() => undefined);
  if (!row || !stored) return undefined;
  const made = vectorLength(row.vector);
  if (made === stored) return ok(`${made} numbers a vector, in ${name}'s collection as well`);
  return fail(
    `${name}: ${id} makes vectors of ${made} numbers, the collection ${collection} holds ${stored}`,
    inCompose
      ? "docker compose down && docker volume rm dhi_chroma && docker compose up -d: it is filled again from the index"
      : `curl -X DELETE ${url}, then start Dhi again: it is filled again from the index`,
  );
}

const urlOf = (collection: string, chromaHost: string): string =>
  `${chromaHost}/api/v2/tenants/default_tenant/databases/default_database/collections/${collection}`;

async function dimensionAt(url: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(url, { signal });
  const { dimension } = (await response.json()) as { dimension?: number | null };
  return dimension ?? undefined;
}
