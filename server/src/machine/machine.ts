/** `GET /v1/machine`: what was measured of the model that completes, and which models fit into this machine's memory. */
import type { MachineResponse, ModelFit } from "@dhi/core/machine-protocol";
import { sameModel } from "@dhi/core/ollama";
import { contextWindow } from "../engines/create-engine.ts";
import type { ListedModel } from "../model/infill.ts";
import type { RunningConfig } from "../model/running-config.ts";
import { GAP } from "../model/self-test.ts";
import { type LoadedModel, loadedModels, type Memory } from "./memory.ts";
import { FORMULA, needOf } from "./need.ts";
import { memoryOfOllama, type OllamaPlace, sharesMemory } from "./ollama-memory.ts";

export interface MachineDeps {
  readonly config: OllamaPlace;
  readonly running: Pick<RunningConfig, "now" | "installed" | "measured">;
}

/** A person waits for it, and an Ollama that is there tells it in milliseconds. */
const LOADED_TIMEOUT_MS = 1_500;

export async function describeMachine(
  { config, running }: MachineDeps,
  signal: AbortSignal,
): Promise<MachineResponse> {
  const timely = AbortSignal.any([signal, AbortSignal.timeout(LOADED_TIMEOUT_MS)]);
  const [installed, loaded] = await Promise.all([
    running.installed(signal),
    loadedModels(config.OLLAMA_HOST, timely),
  ]);
  const memory = await memoryOfOllama(config, loaded);
  signal.throwIfAborted();
  const { engine, degrade, asked } = running.now;
  const { rates, lastTest } = running.measured();
  const { budgetTokens, maxTokens } = asked();
  const contextTokens = contextWindow(budgetTokens, maxTokens);
  const holdsOllama = sharesMemory(config);
  return {
    engine: { name: engine.name, model: engine.model, ...rates, step: degrade.now.now },
    selfTest: {
      state: lastTest === undefined ? "untested" : lastTest.finding === undefined ? "passed" : "failed",
      asked: GAP,
      wrote: lastTest?.wrote ?? null,
      finding: lastTest?.finding ?? null,
      at: lastTest?.at ?? null,
    },
    memory: { ...memory, holdsOllama },
    contextTokens,
    models: installed.map((model) =>
      fitOf(model, { contextTokens, loaded, memory: holdsOllama ? memory : undefined }),
    ),
    formula: FORMULA,
  };
}

interface FitIn {
  readonly contextTokens: number;
  readonly loaded: readonly LoadedModel[];
  /** `undefined` when it is not Ollama's. */
  readonly memory: Memory | undefined;
}

function fitOf(
  { name, bytes, canInfill, shape }: ListedModel,
  { contextTokens, loaded, memory }: FitIn,
): ModelFit {
  const inMemory = loaded.find((one) => sameModel(one.name, name));
  const need = bytes === null ? undefined : needOf(bytes, shape, contextTokens);
  return {
    ...{ name, canInfill, weights: bytes, context: need?.context ?? null, needed: need?.all ?? null },
    loaded: inMemory ? { bytes: inMemory.bytes, gpu: inMemory.gpu } : null,
    fits: memory && need ? verdict(need.all, memory, inMemory !== undefined) : null,
  };
}

function verdict(needed: number, { total, available }: Memory, isLoaded: boolean): ModelFit["fits"] {
  if (isLoaded || needed <= available) return "now";
  return needed <= total ? "after-closing" : "no";
}
