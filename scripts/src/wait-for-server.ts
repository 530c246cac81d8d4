/** Until the server has made up its mind which engine it uses. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HealthResponse } from "@dhi/core/protocol";
import type { DhiClient } from "./dhi-client.ts";

/** How long it may say "starting" before we go on all the same. */
const PATIENCE_MS = 30_000;

/** Only for who has not chosen the built-in engine: then the detail names Ollama. */
const MODEL_HINT = '\n  a model completes whole lines: README.md, "Quick start", says how to add one';

/** @returns what the server says of its engine, and of every part that is not well */
export async function waitForServer(client: DhiClient, signal: AbortSignal): Promise<string> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200, undefined, { signal })) {
    const health = await client.health(signal).catch(() => undefined);
    signal.throwIfAborted();
    if (health && health.status !== "starting") {
      const { engine } = await client.status(signal);
      const { name, model, detail } = engine;
      const which = detail.startsWith(name) ? detail : `${name} (${model}), ${detail}`;
      const hint = name === "instant" && detail.includes("ollama:") ? MODEL_HINT : "";
      return `Engine: ${which}${hint}${describeUnwell(health)}`;
    }
    if (Date.now() > deadline) return `The server still says "${health?.status ?? "nothing"}"`;
  }
}

/** @returns a line for each part that is not well */
function describeUnwell({ components }: HealthResponse): string {
  const unwell = Object.entries(components).filter(([, component]) => component.status !== "ok");
  return unwell
    .map(([name, component]) => `\n  ${name} is ${component.status}: ${component.detail}`)
    .join("");
}
