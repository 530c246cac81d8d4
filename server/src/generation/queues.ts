/** One queue per engine. */
import type { EngineName } from "@dhi/core/protocol";
import type { Engine } from "../engines/engine.ts";
import { createQueue, type Queue } from "./queue.ts";

/**
 * Calls that an engine works on side by side as it is usually started, until it tells. A waiting call can be dropped or joined, one that
 * waits inside the engine cannot.
 */
const SLOTS: Readonly<Record<EngineName, number>> = {
  ollama: 1,
  "llama-server": 1,
  openai: 16,
  instant: 16,
};

/**
 * @param slots instead of what engines tell
 * @param onWait called when a call has to wait for others
 */
export function createQueues(
  slots: number | undefined,
  onWait: () => void,
): (engine: Pick<Engine, "name" | "slots">) => Queue {
  const queues = new Map<EngineName, Queue>();
  const told = new Map<EngineName, number>();
  return ({ name, slots: now }) => {
    if (now !== undefined) told.set(name, now);
    const queue =
      queues.get(name) ?? createQueue({ slots: () => slots ?? told.get(name) ?? SLOTS[name], onWait });
    queues.set(name, queue);
    return queue;
  };
}
