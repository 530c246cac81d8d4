/** What the server knows of one workspace: its index, and what is found in it. */
import { basename } from "node:path";
import type { NamedRoots } from "@dhi/core/choose-workspace";
import { indexDir, readMeta } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { FimRequest, Source } from "@dhi/core/protocol";
import { realPathOf } from "@dhi/core/workspace-path";
import type { WorkspaceSetting } from "@dhi/core/workspaces";
import type { ServerConfig } from "./config.ts";
import type { InstantTier } from "./instant/instant-tier.ts";
import { createDefinedIn } from "./retrieval/defined-in.ts";
import { createIndexHandle, type IndexHandle } from "./retrieval/index-handle.ts";
import { createRetrieve, type Retrieve } from "./retrieval/retrieve.ts";
import { createVectorSearch, type VectorSearch } from "./retrieval/vector.ts";

export interface Workspace extends NamedRoots {
  /** On the wire and in prompts. */
  readonly name: string;
  /** As the settings have it; absolute. */
  readonly path: string;
  readonly index: IndexHandle;
  readonly vectors: VectorSearch;
  readonly instant: InstantTier["indexes"][number];
  readonly retrieve: Retrieve;
  /** Where the names of a completion are defined: the sources of an engine that reads no prompt. */
  readonly definedIn: (request: FimRequest, completion: string) => Source[];
  close(): void;
}

export interface WorkspaceOptions {
  /** Not its own to close. */
  readonly instant: Workspace["instant"];
  readonly log: Logger;
}

/** Its index may not have been made yet; everything looks for it again. */
export function openWorkspace(
  setting: WorkspaceSetting,
  config: ServerConfig,
  { instant, log }: WorkspaceOptions,
): Workspace {
  const { path } = setting;
  const index = createIndexHandle(indexDir(config.DHI_HOME, path));
  const vectors = createVectorSearch(config);
  return {
    get name() {
      if (setting.name !== undefined) return setting.name;
      const db = index.get();
      return (db && readMeta(db, "name")) ?? (basename(path) || "root");
    },
    path,
    roots: [...new Set([path, realPathOf(path)])],
    index,
    vectors,
    instant,
    retrieve: createRetrieve({
      index,
      vectors,
      timeoutMs: config.RETRIEVAL_TIMEOUT_MS,
      legs: config.RETRIEVAL_LEGS,
      log,
    }),
    definedIn: createDefinedIn(index),
    close() {
      index.close();
    },
  };
}
