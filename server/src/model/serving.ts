/** A model, how it is asked, and the engines it runs on: what one completion is made with from its start to its end. */
import type { Logger } from "@dhi/core/log";
import type { ContextMode, EngineName } from "@dhi/core/protocol";
import type { ServerConfig } from "../config.ts";
import { createDegrade, type Degrade } from "../degrade/degrade.ts";
import { createEngine, type Engines } from "../engines/create-engine.ts";
import type { Engine } from "../engines/engine.ts";
import type { ModelAdvice } from "../prompt/fim-format.ts";
import type { CheckLog } from "./check-log.ts";
import { type ModelProfile, readProfile } from "./profiles.ts";
import { createRateLog, type RateLog } from "./rates.ts";
import { openServedModel, type ServedModel } from "./served-model.ts";

export interface Serving {
  readonly asked: ServedModel["asked"];
  /** The one that requests go to which name none; `name` and `model` are as {@link Engines} has them. */
  readonly engine: Engine;
  readonly engineFor: Engines["forRequest"];
  /** Somebody chose the engine while the server runs; else the settings did. */
  readonly isChosen: boolean;
  /** In nats: a completion below it is not shown. */
  readonly minMeanLogprob: number | undefined;
  /** Begins anew with each change: another model or mode is another load. */
  readonly degrade: Degrade;
}

/** What was chosen while the server runs, instead of its settings. */
export interface Choice {
  readonly engine?: EngineName | undefined;
  readonly mode?: ContextMode | undefined;
}

export interface OpenModel {
  readonly name: string;
  readonly profile: ModelProfile;
  serve(choice: Choice): Serving;
  /** Of its engines. */
  readonly rates: Pick<RateLog, "of">;
  readonly lastTest: ServedModel["lastTest"];
  /** Ends what goes on beside the requests; those that are under way are answered. */
  close(): void;
}

export interface OpenModelParts {
  readonly instant: Engine;
  readonly checks: CheckLog;
  /** Calls that wait for an engine. */
  readonly waiting: (engine: Pick<Engine, "name">) => number;
  readonly log: Logger;
}

/**
 * @param advice what is known of the model already
 * @throws {ConfigError} for a model that cannot fill in the middle, and for bad profiles
 */
export async function openModel(
  config: ServerConfig,
  { instant, checks, waiting, log }: OpenModelParts,
  advice?: ModelAdvice,
): Promise<OpenModel> {
  const profile = readProfile({
    file: config.MODELS_FILE,
    dhiHome: config.DHI_HOME,
    model: config.FIM_MODEL,
  });
  const served = await openServedModel({ config, profile, checks, advice, log });
  const { budgetTokens, maxTokens } = served.asked();
  const engines = createEngine(
    { ...config, CONTEXT_TOKENS: budgetTokens, FIM_MODEL_MAX_TOKENS: maxTokens },
    { instant, log, temperature: profile.temperature, checked: served.checked },
  );
  const rates = createRateLog();
  return {
    name: config.FIM_MODEL,
    profile,
    rates,
    get lastTest() {
      return served.lastTest;
    },
    serve(choice) {
      const engineFor: Engines["forRequest"] = ({ engine }) =>
        rates.measured(engines.forRequest({ engine: engine ?? choice.engine }));
      const engine = choice.engine ? engineFor({}) : engines.default;
      return {
        asked: (request) => served.asked({ ...request, mode: request?.mode ?? choice.mode }),
        engine,
        engineFor,
        isChosen: choice.engine !== undefined,
        minMeanLogprob: profile.minMeanLogprob,
        degrade: createDegrade({
          ...{ engine, instant, waiting },
          onStep: (name, step, detail) =>
            log.info({ engine: name, step }, `asking ${name} for less or more: ${detail}`),
        }),
      };
    },
    close() {
      engines.close();
      served.close();
    },
  };
}
