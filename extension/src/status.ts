/** What the status bar says, and why: pure text from what is known. */
import type { DropReason, FimDone, IndexerStatus, StatusResponse } from "@dhi/core/protocol";

export interface Status {
  readonly enabled: boolean;
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

export interface LastAnswer {
  readonly ms: number;
  readonly engine: string;
  readonly model: string;
  readonly mode: string;
  readonly sources: number;
}

export interface StatusText {
  /** With `$(icon)`s of VS Code. */
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  readonly isWarning: boolean;
}

/** The most urgent thing first: off, no server, work in progress, why there was nothing. */
export function statusText(status: Status): StatusText {
  return { ...headline(status), tooltip: tooltip(status) };
}

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

/** @returns why an answer shows nothing, in words; `undefined` when it does, or nobody is waiting for it any more */
export function silenceOf({
  completion,
  reason,
}: Pick<FimDone, "completion" | "reason">): string | undefined {
  if (completion || SUPERSEDED.has(reason)) return undefined;
  return REASONS.get(reason) ?? reason.replace(/[-_]+/g, " ");
}

/** The codes of the server's post-processing; others are words with dashes. */
const DROPS: Readonly<Record<DropReason, string>> = {
  blank: "the engine had none",
  "multi-line": "it would only start on the next line",
  "repeats-suffix": "the code after the cursor says it already",
  repetition: "it only repeated what is there",
  unbalanced: "its brackets or quotes would break the code around it",
  indentation: "no block here is indented like it",
  "prompt-text": "it only repeated the prompt",
  prose: "it talked about the code instead of writing it",
  secret: "it looked like a key or password",
  "too-short": "it was one closing mark",
  "low-confidence": "low confidence",
};
const REASONS: ReadonlyMap<string, string> = new Map(Object.entries({ ok: "the engine had none", ...DROPS }));

/** Reasons that are no silence: the next request is under way already. */
const SUPERSEDED = new Set(["aborted", "cancelled", "superseded"]);

function headline({ enabled, server, loading, silence }: Status): Omit<StatusText, "tooltip"> {
  if (!enabled) return { text: "$(circle-slash) Dhi", isWarning: false };
  if (server?.kind === "unreachable") return { text: "$(warning) Dhi: server unreachable", isWarning: true };
  if (server?.kind === "failing") return { text: "$(warning) Dhi: server error", isWarning: true };
  const percent = server?.kind === "ready" ? indexingPercent(server.status) : undefined;
  if (percent !== undefined) return { text: `$(sync~spin) Dhi: indexing ${percent} %`, isWarning: false };
  if (loading > 0) return { text: "$(loading~spin) Dhi", isWarning: false };
  if (silence) return { text: `Dhi: no suggestion: ${silence}`, isWarning: false };
  return { text: "Dhi", isWarning: false };
}

function tooltip({ enabled, serverUrl, server, silence, last }: Status): string {
  if (!enabled) return "**Dhi is off.** Nothing is sent to the server.";
  const lines: string[] = [];
  if (!server) lines.push(`**Dhi** asks ${serverUrl} …`);
  else if (server.kind === "ready") lines.push(...serverLines(serverUrl, server.status));
  else lines.push(`**Dhi**: ${escaped(server.message)}`, ...(server.hint ? [escaped(server.hint)] : []));
  if (silence) lines.push(`Last request: no suggestion, ${escaped(silence)}`);
  if (last) lines.push(`Last answer: ${last.ms} ms, ${count(last.sources, "source")}, mode ${last.mode}`);
  return lines.join("\n\n");
}

function serverLines(serverUrl: string, { engine, mode, workspaces, version }: StatusResponse): string[] {
  return [
    `**Dhi** ${version} at ${serverUrl}`,
    `Engine: ${escaped(engine.name)}, model ${escaped(engine.model)}, mode ${mode}`,
    ...(engine.detail ? [escaped(engine.detail)] : []),
    ...workspaces.map(({ name, indexer }) => `Index of ${escaped(name)}: ${indexLine(indexer)}`),
  ];
}

function indexLine(indexer: IndexerStatus | null): string {
  if (!indexer) return "the indexer does not answer";
  if (indexer.state === "failed") return `failed: ${escaped(indexer.error ?? "no reason given")}`;
  return `${count(indexer.files, "file")}, ${count(indexer.chunks, "chunk")}, ${indexer.state}`;
}

export const count = (n: number, noun: string): string =>
  `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;

/** Text of servers and models, kept from being read as markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]()#+!|<>~]/g, "\\$&");
