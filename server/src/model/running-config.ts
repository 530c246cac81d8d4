/**
 * What completes right now. Model, mode and engine can be changed while the server runs, until it stops; a request that
 * has begun ends with what it began with.
 */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import { withDeadline } from "@dhi/core/deadline";
import { ConfigError } from "@dhi/core/env";
import { HttpError } from "@dhi/core/http-error";
import { sameModel } from "@dhi/core/ollama";
import type { ContextMode } from "@dhi/core/protocol";
import type { ServerConfig } from "../config.ts";
import type { LoggedTest } from "./check-log.ts";
import { engineChoice, enginesOf } from "./engine-choice.ts";
import { createJudge, type ListedModel } from "./infill.ts";
import { installedModels } from "./metadata.ts";
import { type ModelProfile, readProfile } from "./profiles.ts";
import type { Rates } from "./rates.ts";
import { modesOf } from "./served-model.ts";
import { type Choice, type OpenModel, type OpenModelParts, openModel, type Serving } from "./serving.ts";
import { vetModel } from "./vet-model.ts";

export interface RunningConfig {
  /** For a request that begins. */
  readonly now: Serving;
  describe(signal: AbortSignal): Promise<ConfigResponse>;
  /** What Ollama has; none when it does not answer in time. */
  installed(signal: AbortSignal): Promise<ListedModel[]>;
  /** Of the model that completes now. */
  measured(): Measured;
  /**
   * Changes what is named, all of it or, with an error, nothing.
   *
   * @throws {HttpError} 409 for a model that cannot fill in the middle or that Ollama does not have, for an engine that the
   * server was started without, for a mode that the model's profile excludes, and for profiles that cannot be read
   */
  change(wanted: ConfigRequest, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface Measured {
  /** Its name, whoever answers now. */
  readonly model: string;
  readonly rates: Rates;
  readonly lastTest: LoggedTest | undefined;
}

/** A person waits for the list, and an Ollama that is there tells it in milliseconds. */
const LIST_TIMEOUT_MS = 1_500;

/** @throws {ConfigError} as {@link openModel} */
export async function openRunningConfig(config: ServerConfig, parts: OpenModelParts): Promise<RunningConfig> {
  const judge = createJudge(config.OLLAMA_HOST);
  let model = await openModel(config, parts);
  let choice: Choice = {};
  let now = model.serve(choice);
  let warmingUp = warmUp(now);
  let changing: Promise<unknown> = Promise.resolve();

  async function change(wanted: ConfigRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const name = wanted.model ?? model.name;
    const engine = wanted.engine ? engineChoice(wanted.engine, config) : choice.engine;
    const next: Choice = { mode: wanted.mode ?? choice.mode, engine };
    if (sameModel(name, model.name)) {
      refuseMode(wanted.mode, name, model.profile);
      if (next.mode !== choice.mode || next.engine !== choice.engine) replace(model, next);
      return;
    }
    const settings = settingsFor(config, name);
    const profile = await refusedWith409(() => profileOf(settings));
    refuseMode(wanted.mode, name, profile);
    const options = {
      ...{ host: config.OLLAMA_HOST, judge },
      ofOllama: ["auto", "ollama"].includes(engine ?? config.ENGINE),
      hasFormat: profile.format !== undefined || settings.FIM_FORMAT !== "auto",
    };
    const advice = await vetModel(name, options, signal);
    replace(await refusedWith409(() => openModel(settings, parts, advice)), next);
  }

  function replace(next: OpenModel, chosen: Choice): void {
    const before = { model, engine: now.engine.name };
    model = next;
    choice = chosen;
    now = model.serve(choice);
    parts.log.info(
      { model: model.name, engine: now.engine.name, mode: now.asked().mode },
      "changed, until the server stops",
    );
    if (before.model !== model) before.model.close();
    else if (before.engine === now.engine.name) return;
    warmingUp.abort();
    warmingUp = warmUp(now);
  }

  async function installed(signal: AbortSignal): Promise<ListedModel[]> {
    const models = await withDeadline(LIST_TIMEOUT_MS, signal, async (timely) =>
      judge(await installedModels(config.OLLAMA_HOST, timely), timely),
    ).catch(() => []);
    signal.throwIfAborted();
    return models;
  }

  function stop(): void {
    warmingUp.abort();
    model.close();
  }

  return {
    get now() {
      return now;
    },
    async describe(signal) {
      const models = await installed(signal);
      return {
        ...{ model: model.name, mode: now.asked().mode, engine: now.engine.name },
        ...{ engines: [...enginesOf(config)], modes: modesOf(model.profile) },
        models: models.map(({ name, bytes, canInfill }) => ({ name, bytes, canInfill })),
      };
    },
    installed,
    measured: () => ({ model: model.name, rates: model.rates.of(now.engine.name), lastTest: model.lastTest }),
    // One after the other: each begins with what the one before has left.
    change(wanted, signal) {
      const done = changing.then(() => change(wanted, signal));
      changing = done.catch(() => {});
      return done;
    },
    close() {
      stop();
      void changing.then(stop);
    },
  };
}

function warmUp({ engine }: Serving): AbortController {
  const controller = new AbortController();
  void engine.warmUp(controller.signal);
  return controller;
}

function refuseMode(mode: ContextMode | undefined, model: string, profile: ModelProfile): void {
  if (!mode || modesOf(profile).includes(mode)) return;
  throw new HttpError(
    409,
    "mode_not_supported",
    `mode: ${model} is not asked in mode ${mode}, by its profile`,
    `Take one of ${modesOf(profile).join(", ")}, or change the profile.`,
  );
}

/** FIM_FORMAT is said of FIM_MODEL alone. */
const settingsFor = (config: ServerConfig, model: string): ServerConfig => ({
  ...config,
  FIM_MODEL: model,
  FIM_FORMAT: sameModel(model, config.FIM_MODEL) ? config.FIM_FORMAT : "auto",
});

const profileOf = ({ MODELS_FILE, DHI_HOME, FIM_MODEL }: ServerConfig): ModelProfile =>
  readProfile({ file: MODELS_FILE, dhiHome: DHI_HOME, model: FIM_MODEL });

/** What would end a start only refuses a change. */
async function refusedWith409<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw new HttpError(409, "bad_settings", error.message);
    throw error;
  }
}
