/** config → the engine that answers: the only switch. */
import type { Logger } from "@dhi/core/log";
import type { EngineName, FimRequest } from "@dhi/core/protocol";
import type { ServerConfig } from "../config.ts";
import { createAutoEngine } from "./auto.ts";
import type { Engine } from "./engine.ts";
import { createLlamaServerEngine } from "./llama-server.ts";
import { createOllamaEngine } from "./ollama.ts";
import { createOpenaiEngine } from "./openai.ts";

export interface Engines {
  /** The configured one. With ENGINE=auto its `name` and `model` are those of the engine that would answer now. */
  readonly default: Engine;
  /**
   * The one a request asks for, else the configured one. With ENGINE=auto, `name` and `model` are those of the engine
   * that answered, once it has.
   */
  readonly forRequest: (request: Pick<FimRequest, "engine">) => Engine;
  close(): void;
}

export interface EngineParts {
  readonly instant: Engine;
  readonly log: Logger;
  /** Of the model's profile; without it the engine's own. */
  readonly temperature?: number | undefined;
  /** Makes Ollama's engine one that refuses a model that cannot fill in the middle. */
  readonly checked?: (ollama: Engine) => Engine;
}

type EngineConfig = Pick<
  ServerConfig,
  | "ENGINE"
  | "OLLAMA_HOST"
  | "FIM_MODEL"
  | "OLLAMA_KEEP_ALIVE"
  | "OLLAMA_NUM_THREAD"
  | "LLAMA_SERVER_HOST"
  | "OPENAI_BASE_URL"
  | "OPENAI_API_KEY"
  | "OPENAI_SESSION_HEADER"
  | "CONTEXT_TOKENS"
  | "FIM_MODEL_MAX_TOKENS"
>;

export function createEngine(
  config: EngineConfig,
  { instant, log, temperature, checked = (engine) => engine }: EngineParts,
): Engines {
  const ollama = checked(
    createOllamaEngine({
      host: config.OLLAMA_HOST,
      model: config.FIM_MODEL,
      numCtx: contextWindow(config.CONTEXT_TOKENS, config.FIM_MODEL_MAX_TOKENS),
      keepAlive: config.OLLAMA_KEEP_ALIVE,
      numThread: config.OLLAMA_NUM_THREAD,
      ...(temperature !== undefined && { temperature }),
    }),
  );
  const byName: Readonly<Record<EngineName, Engine>> = {
    ollama,
    "llama-server": createLlamaServerEngine({ host: config.LLAMA_SERVER_HOST, model: config.FIM_MODEL }),
    openai: createOpenaiEngine({
      baseUrl: config.OPENAI_BASE_URL,
      model: config.FIM_MODEL,
      apiKey: config.OPENAI_API_KEY,
      sessionHeader: config.OPENAI_SESSION_HEADER,
    }),
    instant,
  };
  if (config.ENGINE !== "auto") {
    const configured = byName[config.ENGINE];
    return {
      default: configured,
      forRequest: ({ engine }) => (engine ? byName[engine] : configured),
      close() {},
    };
  }
  const auto = createAutoEngine({ ollama, instant, log });
  return {
    default: auto.forRequest(),
    forRequest: ({ engine }) => (engine ? byName[engine] : auto.forRequest()),
    close: () => auto.close(),
  };
}

/** The prompt is measured in estimated tokens: by this much the model's own count may be higher. */
const ESTIMATE_SLACK = 1.25;
/** Sentinels, and the token that some models put first. */
const EXTRA_TOKENS = 64;
/** Engines allocate in blocks; a round number also changes less often with the settings. */
const WINDOW_STEP = 512;

/** @returns tokens of prompt and completion together; constant for given settings, since a change reloads the model */
export function contextWindow(contextTokens: number, maxTokens: number): number {
  const tokens = contextTokens * ESTIMATE_SLACK + maxTokens + EXTRA_TOKENS;
  return Math.ceil(tokens / WINDOW_STEP) * WINDOW_STEP;
}
