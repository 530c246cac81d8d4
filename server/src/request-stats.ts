/** Counts of what was asked and shown, since the start. No code, and of a path only the last few drops. */
import type { FimDone, StatusResponse } from "@dhi/core/protocol";

const LAST_DROPS = 20;

export interface RequestStats {
  record(path: string, outcome: Pick<FimDone, "reason">): void;
  snapshot(): Pick<StatusResponse, "requests" | "lastDrops">;
}

export function createRequestStats(now = () => new Date()): RequestStats {
  const drops = new Map<string, number>();
  const lastDrops: StatusResponse["lastDrops"] = [];
  let completions = 0;
  let shown = 0;
  return {
    record(path, { reason }) {
      completions++;
      if (reason === "ok") {
        shown++;
        return;
      }
      drops.set(reason, (drops.get(reason) ?? 0) + 1);
      lastDrops.unshift({ at: now().toISOString(), path, reason });
      lastDrops.length = Math.min(lastDrops.length, LAST_DROPS);
    },
    snapshot: () => ({
      requests: { completions, shown, drops: Object.fromEntries(drops) },
      lastDrops: [...lastDrops],
    }),
  };
}
