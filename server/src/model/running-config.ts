/**
 * What completes right now. Model, mode and engine can be changed while the server runs, until it stops; a request that
 * has begun ends with what it began with.
 */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import { withDeadline } from "@dhi/core/deadline";
import { ConfigError } from "@dhi/core/env";
import { HttpError } from "@dhi/core/http-error";
import { sameModel } from "@dhi/core/ollama";
import type { EngineName } from "@dhi/core/protocol";
import { type ServerConfig, serverEnv } from "../config.ts";
import { adviceOn, createJudge } from "./infill.ts";
import { type InstalledModel, installedModels } from "./metadata.ts";
import { readProfile } from "./profiles.ts";
import { modesOf } from "./served-model.ts";
import { type Choice, type OpenModel, type OpenModelParts, openModel, type Serving } from "./serving.ts";

export interface RunningConfig {
  /** For a request that begins. */
  readonly now: Serving;
  describe(signal: AbortSignal): Promise<ConfigResponse>;
  /**
   * Changes what is named, all of it or, with an error, nothing.
   *
   * @throws {HttpError} 409 for a model that cannot fill in the middle or that Ollama does not have, for an engine that the
   * server was started without, and for a mode that the model's profile excludes
   */
  change(wanted: ConfigRequest, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A person waits for the list, and an Ollama that is there tells it in milliseconds. */
const LIST_TIMEOUT_MS = 1_500;
/** The vocabulary is up to 8 MB. */
const LOOK_TIMEOUT_MS = 10_000;

/** @throws {ConfigError} as {@link openModel} */
export async function openRunningConfig(config: ServerConfig, parts: OpenModelParts): Promise<RunningConfig> {
  const engines = enginesOf(config);
  const judge = createJudge(config.OLLAMA_HOST);
  let model = await openModel(config, parts);
  let choice: Choice = {};
  let now = model.serve(choice);
  let warmingUp = warmUp(now);
  let changing: Promise<unknown> = Promise.resolve();

  async function change(wanted: ConfigRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    refuseEngine(wanted.engine, engines);
    const isOther = wanted.model !== undefined && !sameModel(wanted.model, model.name);
    const profile = isOther ? profileOf(config, wanted.model ?? "") : model.profile;
    if (wanted.mode && !modesOf(profile).includes(wanted.mode)) {
      throw new HttpError(
        409,
        "mode_not_supported",
        `mode: ${wanted.model ?? model.name} is not asked in mode ${wanted.mode}, by its profile`,
        `Take one of ${modesOf(profile).join(", ")}, or change the profile.`,
      );
    }
    const next: Choice = {
      mode: wanted.mode ?? choice.mode,
      engine: wanted.engine ? chosen(wanted.engine, config) : choice.engine,
    };
    if (isOther) replace(await openOther(wanted.model ?? "", next, signal), next);
    else replace(model, next);
  }

  /** @throws {HttpError} 409 */
  async function openOther(name: string, next: Choice, signal: AbortSignal): Promise<OpenModel> {
    const asksOllama = ["auto", "ollama"].includes(next.engine ?? config.ENGINE);
    const advice = await withDeadline(LOOK_TIMEOUT_MS, signal, async (timely) => {
      const installed = await installedModels(config.OLLAMA_HOST, timely).catch(() => undefined);
      signal.throwIfAborted();
      if (asksOllama && installed && !installed.some((one) => sameModel(one.name, name)))
        throw new HttpError(
          409,
          "model_missing",
          `model: Ollama does not have ${name}`,
          `ollama pull ${name}`,
        );
      // Who gives it a format knows more than we do.
      if (profileOf(config, name).format) return undefined;
      const found = await adviceOn(name, config.OLLAMA_HOST, installed ?? [], timely);
      signal.throwIfAborted();
      if (!found.refusal) return found;
      throw new HttpError(409, "cannot_infill", found.refusal, await suggestion(installed ?? [], timely));
    });
    return openModel(settingsFor(config, name), parts, advice).catch((error: unknown) => {
      throw refusedAs409(error);
    });
  }

  async function suggestion(installed: readonly InstalledModel[], signal: AbortSignal): Promise<string> {
    const able = (await judge(installed, signal)).filter(({ canInfill }) => canInfill);
    if (able.length) return `Ollama has ${able.map(({ name }) => name).join(", ")}.`;
    return `ollama pull ${DEFAULT_MODEL}`;
  }

  function replace(next: OpenModel, chosenNow: Choice): void {
    const before = model;
    const served = now;
    model = next;
    choice = chosenNow;
    now = model.serve(choice);
    if (before !== model) before.close();
    parts.log.info(
      { model: model.name, engine: now.engine.name, mode: now.asked().mode },
      "changed, until the server stops",
    );
    if (before === model && now.engine.name === served.engine.name) return;
    warmingUp.abort();
    warmingUp = warmUp(now);
  }

  return {
    get now() {
      return now;
    },
    async describe(signal) {
      const models = await withDeadline(LIST_TIMEOUT_MS, signal, async (timely) =>
        judge(await installedModels(config.OLLAMA_HOST, timely), timely),
      ).catch(() => []);
      signal.throwIfAborted();
      return {
        ...{ model: model.name, mode: now.asked().mode, engine: now.engine.name },
        ...{ engines: [...engines], modes: modesOf(model.profile) },
        models: models.map(({ name, bytes, canInfill }) => ({ name, bytes, canInfill })),
      };
    },
    change(wanted, signal) {
      const done = changing.then(() => change(wanted, signal));
      changing = done.catch(() => {});
      return done;
    },
    close() {
      warmingUp.abort();
      model.close();
    },
  };
}

const DEFAULT_MODEL = serverEnv.shape.FIM_MODEL.parse(undefined);

function warmUp({ engine }: Serving): AbortController {
  const controller = new AbortController();
  void engine.warmUp(controller.signal);
  return controller;
}

/** Ollama and the built-in tier need no setting; others are there when the settings name them or their address. */
function enginesOf(config: ServerConfig): readonly EngineName[] {
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

function refuseEngine(wanted: EngineName | undefined, engines: readonly EngineName[]): void {
  if (wanted === undefined || engines.includes(wanted)) return;
  const setting = wanted === "openai" ? "OPENAI_BASE_URL" : "LLAMA_SERVER_HOST";
  throw new HttpError(
    409,
    "engine_not_set_up",
    `engine: this server was started without ${wanted}; it has ${engines.join(", ")}`,
    `Start it with ${setting}, or with ENGINE=${wanted}.`,
  );
}

/** A server of ENGINE=auto that is to use Ollama again does so as it was started: while Ollama is there. */
const chosen = (engine: EngineName, { ENGINE }: ServerConfig): EngineName | undefined =>
  engine === ENGINE || (engine === "ollama" && ENGINE === "auto") ? undefined : engine;

/** FIM_FORMAT is said of FIM_MODEL alone. */
const settingsFor = (config: ServerConfig, model: string): ServerConfig => ({
  ...config,
  FIM_MODEL: model,
  FIM_FORMAT: sameModel(model, config.FIM_MODEL) ? config.FIM_FORMAT : "auto",
});

/** @throws {HttpError} 409 for bad profiles */
function profileOf({ MODELS_FILE, DHI_HOME }: ServerConfig, model: string) {
  try {
    return readProfile({ file: MODELS_FILE, dhiHome: DHI_HOME, model });
  } catch (error) {
    throw refusedAs409(error);
  }
}

function refusedAs409(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  return new HttpError(409, "bad_settings", error.message);
}
