/** What is known of Dhi, the server and the last request. */
import type { FimDone, StatusResponse } from "@dhi/core/protocol";
import { t } from "./l10n.ts";

export interface Status {
  /** For the open file's language; for all when none is open. */
  readonly enabled: boolean;
  /** The language that alone is off, when `enabled` is false for it. */
  readonly offLanguage?: string | undefined;
  /** Milliseconds since 1970; 0 when nobody asked for quiet. */
  readonly snoozedUntil: number;
  /** Suggestions come on demand only, and why. */
  readonly onDemand: "trigger" | "battery" | undefined;
  readonly serverUrl: string;
  /** `undefined` while the server has not been asked yet. */
  readonly server: ServerState | undefined;
  /** This window has started one, which has not ended. */
  readonly startedHere: boolean;
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

/** It serves, and the model that it asks is not there. */
export const isEngineDown = (server: ServerState | undefined): boolean =>
  server?.kind === "ready" && server.status.engine.status === "down";

export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** One, and several. */
const NOUNS = {
  file: [() => t("1 file"), (n: string) => t("{0} files", n)],
  chunk: [() => t("1 chunk"), (n: string) => t("{0} chunks", n)],
  token: [() => t("1 token"), (n: string) => t("{0} tokens", n)],
} as const;

export function count(n: number, noun: keyof typeof NOUNS): string {
  const [one, several] = NOUNS[noun];
  return n === 1 ? one() : several(n.toLocaleString("en-US"));
}
