/** An engine is made ready before the first keystroke, when an editor says that somebody is about to type. */
import type { EngineName, WarmResponse } from "@dhi/core/protocol";
import type { Engine } from "../engines/engine.ts";
import type { Queue } from "./queue.ts";

export interface WarmUps {
  /** Begins a warm-up where one is due; at most one at a time. */
  begin(engine: Engine): WarmUp;
  close(): void;
}

export interface WarmUp {
  readonly state: WarmResponse["state"];
  /** Once the engine is ready, or found not to get so. */
  readonly done: Promise<void>;
}

/** Engines keep what they have loaded for minutes. */
const WARM_MS = 60_000;

export interface WarmUpsOptions {
  readonly queue: (engine: Engine) => Pick<Queue, "running" | "usedAt">;
  readonly now?: () => number;
}

export function createWarmUps({ queue, now = () => performance.now() }: WarmUpsOptions): WarmUps {
  const closing = new AbortController();
  const warmedAt = new Map<EngineName, number>();
  const warming = new Map<EngineName, Promise<void>>();
  const ready = Promise.resolve();

  async function warmUp(engine: Engine): Promise<void> {
    await engine.warmUp(closing.signal);
    warmedAt.set(engine.name, now());
    warming.delete(engine.name);
  }

  return {
    begin(engine) {
      if (!engine.readsPrompt) return { state: "off", done: ready };
      const { running, usedAt } = queue(engine);
      const lastAt = Math.max(usedAt, warmedAt.get(engine.name) ?? Number.NEGATIVE_INFINITY);
      if (running > 0 || now() - lastAt < WARM_MS) return { state: "warm", done: ready };
      const done = warming.get(engine.name) ?? warmUp(engine);
      warming.set(engine.name, done);
      return { state: "warming", done };
    },
    close: () => closing.abort(),
  };
}
