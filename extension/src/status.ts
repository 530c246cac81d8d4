/** What is known of Dhi, the server and the last request. */
import type { FimDone, StatusResponse } from "@dhi/core/protocol";

export interface Status {
  readonly enabled: boolean;
  /** Milliseconds since 1970; 0 when nobody asked for quiet. */
  readonly snoozedUntil: number;
  /** Suggestions come on demand only, and why. */
  readonly onDemand: "trigger" | "battery" | undefined;
  readonly serverUrl: string;
  /** `undefined` while the server has not been asked yet. */
  readonly server: ServerState | undefined;
  /** Requests on their way. */
  readonly loading: number;
  /** Why the last request showed nothing, in words. */
  readonly silence: string | undefined;
  readonly last: LastAnswer | undefined;
}

export type ServerState =
  | { readonly kind: "ready"; readonly status: StatusResponse }
  | {
      readonly kind: "unreachable" | "failing";
      readonly message: string;
      readonly hint?: string | undefined;
    };

/** The newest answer, and how long the editor waited for it. */
export interface LastAnswer {
  readonly ms: number;
  readonly answer: Pick<FimDone, "engine" | "model" | "mode" | "step" | "reuse" | "timings" | "sources">;
}

export const isSnoozed = ({ enabled, snoozedUntil }: Status, now: number): boolean =>
  enabled && now < snoozedUntil;

/** @returns 0 to 100 while an index is being brought up to date, else `undefined` */
export function indexingPercent({ workspaces }: StatusResponse): number | undefined {
  const busy = workspaces.flatMap(({ indexer }) =>
    indexer?.state === "syncing" || indexer?.state === "starting" ? indexer : [],
  );
  if (!busy.length) return undefined;
  const sum = (field: "files" | "filesTotal") => busy.reduce((n, { job }) => n + (job?.[field] ?? 0), 0);
  const total = sum("filesTotal");
  return total ? Math.floor((100 * sum("files")) / total) : 0;
}

export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

export const count = (n: number, noun: string): string =>
  `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
