/** One thing that can be wrong with a set-up. */
import type { Check } from "@dhi/core/config-protocol";
import type { IndexerStatus } from "@dhi/core/protocol";
import type { ServerConfig } from "../config.ts";
import type { ListedModel } from "../model/infill.ts";
import type { InstalledModel } from "../model/metadata.ts";
import type { RunningConfig } from "../model/running-config.ts";
import type { Workspace } from "../workspace.ts";

export type Finding = Pick<Check, "status" | "detail" | "fix">;

export interface DoctorCheck {
  /** Stays the same across versions. */
  readonly id: string;
  readonly title: string;
  /** May throw, and may take longer than anybody waits: both are findings. */
  look(setup: Setup, signal: AbortSignal): Finding | Promise<Finding>;
}

/** What is looked at. What several checks ask of another server is asked once. */
export interface Setup {
  readonly config: ServerConfig;
  readonly running: Pick<RunningConfig, "now" | "measured">;
  readonly workspaces: readonly Workspace[];
  /** Rejects when the indexer is away. */
  indexed(): Promise<readonly IndexerStatus[]>;
  /** Of Ollama; rejects when that is away. */
  models(): Promise<readonly InstalledModel[]>;
  /** The same with what each says of itself, as far as it does in time; none when Ollama is away. */
  listed(): Promise<readonly ListedModel[]>;
  /** What mends it is a command of Compose. */
  readonly inCompose: boolean;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const warn = (detail: string, fix?: string): Finding => ({
  ...{ status: "warn", detail },
  ...(fix !== undefined && { fix }),
});
export const fail = (detail: string, fix?: string): Finding => ({ ...warn(detail, fix), status: "fail" });

const WORST_FIRST = ["fail", "warn", "ok"] as const;

/** Of the same check in several places: the worst, with the words of all that are as bad. @param findings at least one */
export function worstOf(findings: readonly Finding[]): Finding {
  const status = WORST_FIRST.find((s) => findings.some((f) => f.status === s)) ?? "ok";
  const alike = findings.filter((f) => f.status === status);
  const fix = alike.find((f) => f.fix !== undefined)?.fix;
  const detail = [...new Set(alike.map((f) => f.detail))].join("; ");
  return { status, detail, ...(fix !== undefined && { fix }) };
}

/** Whether a server at this URL shares this machine's memory and files. */
export const isHere = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
