/** What a request has to have in common with another for one call of the engine to answer both. */
import type { ContextMode, FimRequest } from "@dhi/core/protocol";
import type { Engine } from "../engines/engine.ts";
import type { FimFormat } from "../prompt/fim-format.ts";
import type { Place } from "./place.ts";

export interface CallSettings {
  readonly format: Pick<FimFormat, "id" | "stop">;
  readonly mode: ContextMode;
  readonly maxTokens: number;
  readonly oneLine: boolean;
}

export function placeOf(
  { workspace, path, languageId, prefix, suffix, engine, legs, contextTokens, alternative }: FimRequest,
  { name, model }: Pick<Engine, "name" | "model">,
  { format, mode, maxTokens, oneLine }: CallSettings,
): Place {
  const file = [workspace, path, languageId];
  const asked = [engine, name, model, format.id, format.stop, mode, maxTokens];
  const more = [legs, contextTokens, alternative || null];
  return { scope: JSON.stringify([...file, ...asked, ...more]), prefix, suffix, oneLine };
}
