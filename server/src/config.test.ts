import { readFileSync } from "node:fs";
import { parseEnv } from "@dhi/core/env";
import { envExample } from "@dhi/core/testing/env-example";
import { expect, test } from "vitest";
import { readConfig, serverEnv } from "./config.ts";

const ROOT = new URL("../../", import.meta.url);
const example = envExample();
/** Read by Compose or the indexer alone; the indexer's tests hold its own. */
const OF_OTHERS = [
  ...["RESTART", "GRAFANA_PORT"],
  ...["MAX_FILE_BYTES", "INDEXER_PORT", "INDEXER_BIND", "INDEXER_ALLOWED_HOSTS"],
  ...["TYPESCRIPT_SERVICE", "TYPESCRIPT_MEMORY_MB"],
  // By OpenTelemetry's SDK.
  ...["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"],
  ...["OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"],
];
/** Empty there: the default is another one in Compose, or there is none. */
const NO_ONE_DEFAULT = [
  "WORKSPACE_NAME",
  "DHI_WORKSPACES",
  "MODELS_FILE",
  "OLLAMA_HOST",
  "OLLAMA_NUM_THREAD",
  "LLAMA_SERVER_HOST",
  "OPENAI_BASE_URL",
  "OPENAI_API_KEY",
  "ENGINE_SLOTS",
  "CHROMA_HOST",
  "INDEXER_HOST",
  "DHI_HOME",
  "DHI_TOKEN",
  "DHI_ALLOWED_HOSTS",
  "DHI_METRICS_HOSTS",
  "INDEXER_ALLOWED_HOSTS",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
];

const bad = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
    return "accepted";
  } catch (error) {
    return String(error);
  }
};

test(".env.example has every variable of the server, and none besides that nobody reads", () => {
  expect(Object.keys(example).sort()).toEqual([...Object.keys(serverEnv.shape), ...OF_OTHERS].sort());
});

test("what stands in .env.example is the default", () => {
  expect(parseEnv(serverEnv, example)).toEqual(parseEnv(serverEnv, {}));
});

test("a variable without a value there is one that has no single default", () => {
  const empty = Object.keys(example).filter((name) => example[name] === "");
  expect(empty.sort()).toEqual([...NO_ONE_DEFAULT].sort());
});

test("every Compose variable that .env.example does not have is a mistake", () => {
  const used = ["docker-compose.yml", "docker-compose.gpu.yml", "docker-compose.host-ollama.yml"].flatMap(
    (file) =>
      [...readFileSync(new URL(file, ROOT), "utf8").matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(
        ([, name]) => name,
      ),
  );
  expect([...new Set(used)].filter((name) => name !== undefined && !(name in example))).toEqual([]);
});

test.each([
  ["0", 0],
  ["1000", 1_000],
  ["512m", 512 * 1024 ** 2],
  ["1.5G", 1.5 * 1024 ** 3],
  ["6gb", 6 * 1024 ** 3],
  ["100b", 100],
])("a memory limit of %s is taken as Compose takes it", (OLLAMA_MEM_LIMIT, bytes) => {
  expect(readConfig({ OLLAMA_MEM_LIMIT }).OLLAMA_MEM_LIMIT).toBe(bytes);
  expect(bad({ OLLAMA_MEM_LIMIT: "much" })).toContain("OLLAMA_MEM_LIMIT");
});

test("every wrong variable is named at once, and a token is not shown", () => {
  const wrong: Record<string, string> = {
    DHI_WORKSPACES: "/no/such/folder",
    DHI_PORT: "70000",
    DHI_TOKEN: "short",
    DHI_TRUSTED_NETWORK: "maybe",
    ENGINE: "gpt",
    FIM_MODEL_MAX_TOKENS: "0",
    CONTEXT_TOKENS: "many",
    CONTEXT_MODE: "all",
    RETRIEVAL_TIMEOUT_MS: "-1",
    RETRIEVAL_LEGS: "definitions,guesses",
    DHI_METRICS: "some",
    DHI_METRICS_DAYS: "0",
    DHI_METRICS_MB: "much",
    EMBEDDER: "none",
    OLLAMA_HOST: "ftp://x",
    CHROMA_HOST: "http://",
    INDEXER_HOST: "a b",
    OLLAMA_KEEP_ALIVE: "soon",
    OLLAMA_NUM_THREAD: "0",
    LLAMA_SERVER_HOST: "ftp://x",
    OPENAI_BASE_URL: "http://user:secret-password@x",
    OPENAI_API_KEY: "key with\nline",
    OPENAI_SESSION_HEADER: "x session",
    ENGINE_SLOTS: "0",
    LOG_LEVEL: "loud",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:secret-password@collector",
    OTEL_SDK_DISABLED: "perhaps",
  };
  const words = bad(wrong);
  for (const name of Object.keys(wrong)) expect(words).toContain(`  ${name}=`);
  expect(words).toContain("DHI_TOKEN=…: ");
  expect(words).not.toContain("short:");
  expect(words).not.toContain("key with");
  expect(words).not.toContain("secret-password");
});

test.each([
  ["gpu.lan:8000", "http://gpu.lan:8000/v1"],
  ["https://models.lan/", "https://models.lan/v1"],
  ["https://models.lan/team/v1/", "https://models.lan/team/v1"],
])("OPENAI_BASE_URL=%s is the API at %s", (OPENAI_BASE_URL, expected) => {
  expect(readConfig({ OPENAI_BASE_URL }).OPENAI_BASE_URL).toBe(expected);
});

test.each([
  [{ DHI_BIND: "0.0.0.0" }, "set DHI_TOKEN"],
  [{ DHI_BIND: "::" }, "set DHI_TOKEN"],
  [{ DHI_BIND: "0.0.0.0", DHI_TOKEN: "long-enough" }, "accepted"],
  [{ DHI_BIND: "0.0.0.0", DHI_TRUSTED_NETWORK: "true" }, "accepted"],
  [{ DHI_BIND: "127.0.0.2" }, "accepted"],
  [{}, "accepted"],
])("listening at %j: %s", (env, words) => {
  expect(bad(env)).toContain(words);
});
