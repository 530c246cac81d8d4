/** env → IndexerConfig. */
import { parseEnv, port, sharedEnv } from "@dhi/core/env";
import { z } from "zod";

export const indexerEnv = sharedEnv.extend({
  INDEXER_PORT: port.default(8002),
  /** The API is internal: loopback, or the network of the containers, never a published port. */
  INDEXER_BIND: z.string().trim().min(1).default("127.0.0.1"),
  /** Host names besides loopback by which the server asks, comma-separated (`indexer` in Compose). */
  INDEXER_ALLOWED_HOSTS: z
    .string()
    .transform((s) => s.split(",").map((w) => w.trim()))
    .transform((list) => list.filter(Boolean))
    .default([]),
  /** Larger files are skipped as `too-large`. */
  MAX_FILE_BYTES: z.coerce.number().int().min(1).default(1_048_576),
  /** Whether TypeScript's language service looks at TypeScript and JavaScript, in a process of its own; `auto`: when there is any. */
  TYPESCRIPT_SERVICE: z.enum(["auto", "off"]).default("auto"),
  /** Heap of that process; a project that needs more keeps its tree-sitter symbols. Below 128 it cannot read a program. */
  TYPESCRIPT_MEMORY_MB: z.coerce.number().int().min(128).default(512),
});
export type IndexerConfig = Readonly<z.infer<typeof indexerEnv>>;

/** @throws {ConfigError} with every bad variable named */
export const readConfig = (env = process.env): IndexerConfig => parseEnv(indexerEnv, env);
