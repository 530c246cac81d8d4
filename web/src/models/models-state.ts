/** What the server says of its models and of the machine they run on; asked again and again while the view shows. */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import type { MachineResponse } from "@dhi/core/machine-protocol";
import { type Signal, signal } from "@preact/signals";
import { ask, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import { startedAt } from "../server/server-state.ts";

export const config = signal<ConfigResponse | undefined>(undefined);
export const machine = signal<MachineResponse | undefined>(undefined);
/** Why the last of them could not be asked. */
export const problem = signal<ServerProblem | undefined>(undefined);
/** Why the last change was not made. It stays, however often is asked. */
export const refusal = signal<ServerProblem | undefined>(undefined);
export const isChanging = signal(false);

/** Models come and go outside of this page, and rates change with every call. */
const EVERY_MS = 5_000;

/** @returns what ends it */
export const watchModels = (): (() => void) =>
  poll(async (signal) => {
    await told(problem, signal, async () => {
      const [configNow, machineNow] = await Promise.all([
        ask<ConfigResponse>("/v1/config", { signal }),
        ask<MachineResponse>("/v1/machine", { signal }),
      ]);
      config.value = configNow;
      machine.value = machineNow;
    });
  }, EVERY_MS);

/** To be called in an effect: asks what can be chosen of a server, once. @returns what ends it */
export function followConfig(): (() => void) | undefined {
  if (startedAt.value === undefined) return undefined;
  const controller = new AbortController();
  const { signal } = controller;
  ask<ConfigResponse>("/v1/config", { signal }).then(
    (answer) => {
      config.value = answer;
    },
    (error: unknown) => {
      // The header says when the server is away; until it is back there is nothing to choose.
      if (!signal.aborted && !(error instanceof ServerProblem)) throw error;
    },
  );
  return () => controller.abort();
}

export async function change(body: ConfigRequest): Promise<void> {
  isChanging.value = true;
  try {
    await told(refusal, undefined, async () => {
      config.value = await ask<ConfigResponse>("/v1/config", { method: "PUT", body });
      // What it said before is of another engine, or of another model.
      machine.value = await ask<MachineResponse>("/v1/machine");
    });
  } finally {
    isChanging.value = false;
  }
}

async function told(
  wrong: Signal<ServerProblem | undefined>,
  signal: AbortSignal | undefined,
  does: () => Promise<void>,
): Promise<void> {
  try {
    await does();
    wrong.value = undefined;
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    wrong.value = error;
  }
}
