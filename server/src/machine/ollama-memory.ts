/** How much memory Ollama has for models: this machine's, or what the container that it runs in may take of it. */
import type { ServerConfig } from "../config.ts";
import { isHere } from "../doctor/check.ts";
import { type LoadedModel, type Memory, machineMemory, memoryHere, within } from "./memory.ts";

/** What tells where Ollama runs. */
export type OllamaPlace = Pick<ServerConfig, "OLLAMA_HOST" | "INDEXER_HOST" | "OLLAMA_MEM_LIMIT">;

/** Containers of one Compose are on one machine; each other address but loopback may be anywhere. */
export function sharesMemory({ OLLAMA_HOST, INDEXER_HOST }: Omit<OllamaPlace, "OLLAMA_MEM_LIMIT">): boolean {
  return isHere(OLLAMA_HOST) || isInCompose({ OLLAMA_HOST, INDEXER_HOST });
}

/**
 * In a container of its own it has a limit of its own, of which loaded models have taken what lies in no GPU; this
 * process's limit is nothing to it.
 *
 * @returns this machine's where Ollama runs elsewhere
 */
export async function memoryOfOllama(place: OllamaPlace, loaded: readonly LoadedModel[]): Promise<Memory> {
  if (isHere(place.OLLAMA_HOST)) return memoryHere();
  const machine = await machineMemory();
  const limit = place.OLLAMA_MEM_LIMIT;
  if (!isInCompose(place) || limit === 0) return machine;
  const taken = loaded.reduce((sum, { bytes, gpu }) => sum + bytes - gpu, 0);
  return within(machine, { total: limit, available: Math.max(0, limit - taken) });
}

/** The container that Compose starts, seen from another one of it. */
const isInCompose = ({ OLLAMA_HOST, INDEXER_HOST }: Omit<OllamaPlace, "OLLAMA_MEM_LIMIT">): boolean =>
  !isHere(INDEXER_HOST) && new URL(OLLAMA_HOST).hostname === "ollama";
