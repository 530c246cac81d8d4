/** Whether a running server can be changed to a model: what Ollama or its name tells decides, and not a try. */
import { withDeadline } from "@dhi/core/deadline";
import { HttpError } from "@dhi/core/http-error";
import { sameModel } from "@dhi/core/ollama";
import { type ServerConfig, serverEnv } from "../config.ts";
import type { ModelAdvice } from "../prompt/fim-format.ts";
import { adviceOn, type JudgeModels } from "./infill.ts";
import { type InstalledModel, installedModels } from "./metadata.ts";

export interface VetOptions {
  readonly host: ServerConfig["OLLAMA_HOST"];
  /** Whether it is Ollama that will run it. */
  readonly ofOllama: boolean;
  /** Somebody said how it is asked, who knows more than we do. */
  readonly hasFormat: boolean;
  readonly judge: JudgeModels;
}

/** The vocabulary is up to 8 MB. */
const TIMEOUT_MS = 10_000;
const DEFAULT_MODEL = serverEnv.shape.FIM_MODEL.parse(undefined);

/**
 * @returns what is known of the model now
 * @throws {HttpError} 409 when Ollama does not have it, and when it cannot fill in the middle, with models that can
 */
export function vetModel(
  model: string,
  { host, ofOllama, hasFormat, judge }: VetOptions,
  signal: AbortSignal,
): Promise<ModelAdvice | undefined> {
  return withDeadline(TIMEOUT_MS, signal, async (timely) => {
    const installed = await installedModels(host, timely).catch(() => undefined);
    signal.throwIfAborted();
    if (ofOllama && installed && !installed.some(({ name }) => sameModel(name, model))) {
      const message = `model: Ollama does not have ${model}`;
      throw new HttpError(409, "model_missing", message, `ollama pull ${model}`);
    }
    if (hasFormat) return undefined;
    const advice = await adviceOn(model, host, installed ?? [], timely);
    signal.throwIfAborted();
    if (!advice.refusal) return advice;
    throw new HttpError(409, "cannot_infill", advice.refusal, await instead(installed ?? [], judge, timely));
  });
}

async function instead(
  installed: readonly InstalledModel[],
  judge: JudgeModels,
  signal: AbortSignal,
): Promise<string> {
  const able = (await judge(installed, signal)).filter(({ canInfill }) => canInfill);
  return able.length
    ? `Ollama has ${able.map(({ name }) => name).join(", ")}.`
    : `ollama pull ${DEFAULT_MODEL}`;
}
