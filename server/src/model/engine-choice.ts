/** Which engines a running server can be changed to. */
import { HttpError } from "@dhi/core/http-error";
import type { EngineName } from "@dhi/core/protocol";
import { type ServerConfig, serverEnv } from "../config.ts";

/** Ollama and the built-in tier need no setting; others are there when the settings name them or their address. */
export function enginesOf(config: ServerConfig): readonly EngineName[] {
  const defaults = serverEnv.parse({});
  const isNamed = {
    "llama-server": config.LLAMA_SERVER_HOST !== defaults.LLAMA_SERVER_HOST,
    openai: config.OPENAI_BASE_URL !== defaults.OPENAI_BASE_URL,
  };
  const others = (["llama-server", "openai"] as const).filter(
    (name) => isNamed[name] || config.ENGINE === name,
  );
  return ["ollama", ...others, "instant"];
}

/**
 * A server of ENGINE=auto that is to use Ollama again does so as it was started: while Ollama is there.
 *
 * @returns `undefined` for the engine of the settings
 * @throws {HttpError} 409 for one that the server was started without
 */
export function engineChoice(engine: EngineName, config: ServerConfig): EngineName | undefined {
  const engines = enginesOf(config);
  if (!engines.includes(engine)) {
    const setting = engine === "openai" ? "OPENAI_BASE_URL" : "LLAMA_SERVER_HOST";
    throw new HttpError(
      409,
      "engine_not_set_up",
      `engine: this server was started without ${engine}; it has ${engines.join(", ")}`,
      `Start it with ${setting}, or with ENGINE=${engine}.`,
    );
  }
  const isOfSettings = engine === config.ENGINE || (engine === "ollama" && config.ENGINE === "auto");
  return isOfSettings ? undefined : engine;
}
