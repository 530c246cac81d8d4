/** env → ServerConfig. Every variable stands in `.env.example` too; a test holds the two together. */
import { ConfigError, parseEnv, port, sharedEnv } from "@dhi/core/env";
import { contextMode } from "@dhi/core/protocol";
import { z } from "zod";

const LOOPBACK = /^(127(\.\d+){3}|::1|localhost)$/;

const words = z
  .string()
  .transform((s) => s.split(",").map((w) => w.trim()))
  .transform((list) => list.filter(Boolean));

export const serverEnv = sharedEnv.extend({
  DHI_PORT: port.default(8000),
  DHI_BIND: z.string().trim().min(1).default("127.0.0.1"),
  /** Asked for as `Authorization: Bearer …` when set; required when DHI_BIND is not loopback. */
  DHI_TOKEN: z.string().min(8).optional(),
  /** The network in front is trusted instead of a token: a container whose port is published on loopback only. */
  DHI_TRUSTED_NETWORK: z.stringbool().default(false),
  /** Further host names this server may be asked by, comma-separated. */
  DHI_ALLOWED_HOSTS: words.default([]),
  ENGINE: z.enum(["auto", "ollama", "instant"]).default("auto"),
  FIM_MODEL: z.string().trim().min(1).default("qwen2.5-coder:1.5b-base"),
  /** `auto` reads the family from FIM_MODEL; else an id of `fim-format.ts`, for a model under a name of its own. */
  FIM_FORMAT: z.string().trim().min(1).default("auto"),
  /** Most tokens a completion may have. */
  FIM_MODEL_MAX_TOKENS: z.coerce.number().int().min(1).max(2048).default(128),
  /** Tokens a prompt may have, snippets, prefix and suffix together. */
  CONTEXT_TOKENS: z.coerce.number().int().min(256).max(131_072).default(2048),
  CONTEXT_MODE: contextMode.default("rag"),
  /** How long a completion waits for context before going ahead without it. */
  RETRIEVAL_TIMEOUT_MS: z.coerce.number().int().min(1).max(10_000).default(40),
});
export type ServerConfig = Readonly<z.infer<typeof serverEnv>>;

/** @throws {ConfigError} with every bad variable named */
export function readConfig(env = process.env): ServerConfig {
  const config = parseEnv(serverEnv, env);
  if (!LOOPBACK.test(config.DHI_BIND) && !config.DHI_TOKEN && !config.DHI_TRUSTED_NETWORK) {
    throw new ConfigError(
      `  DHI_BIND=${config.DHI_BIND}: anyone who reaches this address could read the workspace; set DHI_TOKEN`,
    );
  }
  return config;
}
