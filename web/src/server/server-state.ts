/** What the server said of itself last; the header and the views read it. */
import type { HealthResponse, StatusResponse } from "@dhi/core/protocol";
import { batch, computed, signal } from "@preact/signals";
import { ask, ServerProblem } from "./ask.ts";
import { poll } from "./poll.ts";
import { tokenWanted } from "./token.ts";

export const health = signal<HealthResponse | undefined>(undefined);
export const status = signal<StatusResponse | undefined>(undefined);
/** Another one means another process: it may be set up otherwise, and has forgotten unsaved buffers. */
export const startedAt = computed(() => status.value?.startedAt);
/** Why the server could not be asked; `undefined` while it can, and before the first answer. */
export const unreachable = signal<string | undefined>(undefined);

/** The workspace that is looked at, by name; the first one until another is chosen. */
const chosen = signal<string | undefined>(undefined);
export const workspace = computed(() => {
  const all = status.value?.workspaces ?? [];
  return (all.find(({ name }) => name === chosen.value) ?? all[0])?.name;
});
export function chooseWorkspace(name: string): void {
  chosen.value = name;
}

/** What the indexer says of the workspace that is looked at; `undefined` while it says nothing. */
export const indexer = computed(
  () => status.value?.workspaces.find(({ name }) => name === workspace.value)?.indexer ?? undefined,
);

/** When the index took a change in last. What is read of the index is read again then. */
export const lastChangeAt = computed(() => indexer.value?.lastChangeAt);

const EVERY_MS = 2_000;
/** A server that hangs would say nothing for ever. */
const WITHIN_MS = 10_000;

/** @returns what ends it */
export const watchServer = (): (() => void) => poll(refresh, EVERY_MS);

async function refresh(signal: AbortSignal): Promise<void> {
  const asked = { signal, withinMs: WITHIN_MS };
  try {
    const [healthNow, statusNow] = await Promise.all([
      ask<HealthResponse>("/health", { ...asked, orStatus: 503 }),
      // Asking in vain would only fill the server's log.
      tokenWanted.value ? undefined : ask<StatusResponse>("/v1/status", asked),
    ]);
    batch(() => {
      health.value = healthNow;
      if (statusNow) status.value = statusNow;
      unreachable.value = undefined;
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    // For want of a token a form shows, which says so.
    if (error.status !== 401) unreachable.value = error.message;
  }
}
