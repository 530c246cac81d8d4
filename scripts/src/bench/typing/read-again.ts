/** A run's prompts, read by a real llama-server one after another in one slot: what it says it still had. */
import type { Prompt } from "./fake-ollama.ts";

export interface ReadAgain {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** The same without each piece's first prompt. */
  readonly warmTokens: number;
  readonly warmCachedTokens: number;
}

/** Of its answer, what counts here. */
interface Answer {
  readonly tokens_evaluated: number;
  readonly timings: { readonly cache_n: number };
}

/** @param url of a llama-server whose context holds a prompt */
export async function readAgain(url: string, prompts: readonly Prompt[]): Promise<ReadAgain> {
  const counts = { promptTokens: 0, cachedTokens: 0, warmTokens: 0, warmCachedTokens: 0 };
  for (const { text, isFirst } of prompts) {
    const body = { prompt: text, n_predict: 1, temperature: 0, cache_prompt: true, id_slot: 0 };
    const response = await fetch(`${url}/completion`, { method: "POST", body: JSON.stringify(body) });
    const words = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${words}`);
    const { tokens_evaluated, timings }: Answer = JSON.parse(words);
    counts.promptTokens += tokens_evaluated;
    counts.cachedTokens += timings.cache_n;
    if (isFirst) continue;
    counts.warmTokens += tokens_evaluated;
    counts.warmCachedTokens += timings.cache_n;
  }
  return counts;
}
