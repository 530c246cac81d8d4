/** The engine's models, and what Ollama has besides, in one list. */
import type { ConfigResponse } from "@dhi/core/config-protocol";
import type { MachineResponse, ModelFit } from "@dhi/core/machine-protocol";

export interface ModelRow {
  readonly name: string;
  readonly bytes: number | null;
  /** `null`: only a try would tell. */
  readonly canInfill: boolean | null;
  /** `undefined` for a model that Ollama does not hold. */
  readonly fit: ModelFit | undefined;
  readonly isInUse: boolean;
  /** The engine that completes has it. */
  readonly isOfEngine: boolean;
}

/** @returns the engine's first, each once */
export function modelRows(
  { engine, model, models }: Pick<ConfigResponse, "engine" | "model" | "models">,
  { models: fits }: Pick<MachineResponse, "models">,
): ModelRow[] {
  const fitOf = new Map(fits.map((fit) => [fit.name, fit]));
  const own = models.map(({ name, bytes, canInfill }) => ({
    ...{ name, bytes, canInfill: canInfill ?? fitOf.get(name)?.canInfill ?? null, fit: fitOf.get(name) },
    ...{ isInUse: engine !== "instant" && name === model, isOfEngine: true },
  }));
  const names = new Set(models.map(({ name }) => name));
  const others = fits
    .filter(({ name }) => !names.has(name))
    .map((fit) => ({
      ...{ name: fit.name, bytes: fit.weights, canInfill: fit.canInfill, fit },
      ...{ isInUse: false, isOfEngine: false },
    }));
  return [...own, ...others];
}
