/** env → ServerConfig. Every variable stands in `.env.example` too; a test holds the two together. */
import { resolve } from "node:path";
import { ConfigError, hostUrl, parseEnv, port, sharedEnv } from "@dhi/core/env";
import { contextMode, type LegName, legName, usualLegs } from "@dhi/core/protocol";
import { z } from "zod";
import { MAX_TOKENS } from "./instant/token-budget.ts";

const LOOPBACK = /^(127(\.\d+){3}|::1|localhost)$/;

const words = z
  .string()
  .transform((s) => s.split(",").map((w) => w.trim()))
  .transform((list) => list.filter(Boolean));

const UNITS = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;

/** As Compose takes it: a number of bytes, or with a unit, such as `512m` or `6gb`. 0 is no limit. */
const memorySize = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^\d+(\.\d+)?([kmg]b?|b)?$/, 'expected a size such as "6g" or "512m", or 0')
  .transform((text) => {
    const unit = Object.entries(UNITS).find(([letter]) => text.replace(/(?<=[kmg])b$/, "").endsWith(letter));
    return Math.floor(Number.parseFloat(text) * (unit?.[1] ?? 1));
  });

/** A server's address alone means its OpenAI-compatible API, which all of them have at `/v1`. */
const withVersion = (url: string): string => (new URL(url).pathname === "/" ? `${url}/v1` : url);

const legs = words.transform((names, context): LegName[] => {
  const known = names.flatMap((name) => legName.safeParse(name).data ?? []);
  const unknown = names.filter((name) => !legName.safeParse(name).success);
  if (unknown.length)
    context.addIssue(`expected some of ${legName.options.join(", ")}, got "${unknown.join(", ")}"`);
  return known;
});

export const serverEnv = sharedEnv.extend({
  DHI_PORT: port.default(8000),
  DHI_BIND: z.string().trim().min(1).default("127.0.0.1"),
  /** Asked for as `Authorization: Bearer …` when set; required when DHI_BIND is not loopback. */
  DHI_TOKEN: z.string().min(8).optional(),
  /** The network in front is trusted instead of a token: a container whose port is published on loopback only. */
  DHI_TRUSTED_NETWORK: z.stringbool().default(false),
  /** Further host names this server may be asked by, comma-separated. */
  DHI_ALLOWED_HOSTS: words.default([]),
  /** Further ones by which it may be asked for /metrics and nothing else. */
  DHI_METRICS_HOSTS: words.default([]),
  ENGINE: z.enum(["auto", "ollama", "llama-server", "openai", "instant"]).default("auto"),
  /** What Compose lets the Ollama beside this server have. Bytes; 0 is no limit. */
  OLLAMA_MEM_LIMIT: memorySize.default(0),
  LLAMA_SERVER_HOST: hostUrl(8080).default("http://127.0.0.1:8080"),
  /** Ends with the API's version; the default is LM Studio's. */
  OPENAI_BASE_URL: hostUrl(80).default("http://127.0.0.1:1234/v1").transform(withVersion),
  OPENAI_API_KEY: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, "expected printable ASCII without spaces: it is sent in a header")
    .optional(),
  /** Carries the editor session, for routers that keep one on one server. */
  OPENAI_SESSION_HEADER: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9-]+$/, "expected the name of a header")
    .default("x-session-id"),
  FIM_MODEL: z.string().trim().min(1).default("qwen2.5-coder:1.5b-base"),
  /** `auto` asks the model, then its name; else an id of `families.ts` or of the model's profile. */
  FIM_FORMAT: z.string().trim().min(1).default("auto"),
  /** Calls of the engine at once; without it as many as the engine answers side by side by default. */
  ENGINE_SLOTS: z.coerce.number().int().min(1).max(1024).optional(),
  /** Profiles of models; without it `models.json` in DHI_HOME, if there is one. */
  MODELS_FILE: z
    .string()
    .trim()
    .min(1)
    .transform((p) => resolve(p))
    .optional(),
  /** Most tokens a completion may have. */
  FIM_MODEL_MAX_TOKENS: z.coerce.number().int().min(1).max(2048).default(128),
  /** Tokens a prompt may have, snippets, prefix and suffix together. */
  CONTEXT_TOKENS: z.coerce.number().int().min(256).max(131_072).default(2048),
  CONTEXT_MODE: contextMode.default("rag"),
  /** Whether what becomes of suggestions is stored: counts and times, on this machine, never code. */
  DHI_METRICS: z.stringbool().default(false),
  /** Older events are deleted. */
  DHI_METRICS_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** Beyond this size of the file the oldest events are deleted. */
  DHI_METRICS_MB: z.coerce.number().int().min(1).max(10_000).default(20),
  /** Of a collector for traces (OTLP over HTTP); without it there are none. Its SDK reads more of these variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: hostUrl(4318).optional(),
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_SERVICE_NAME: z.string().trim().min(1).default("dhi"),
  /** Of all workspaces together, some 25 to 35 bytes each: what the tier without a model knows. */
  INSTANT_MAX_TOKENS: z.coerce.number().int().min(10_000).max(50_000_000).default(MAX_TOKENS),
  /** Asked for by requests that name none. */
  RETRIEVAL_LEGS: legs.default([...usualLegs]),
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
