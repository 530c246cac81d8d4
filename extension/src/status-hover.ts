/** The status bar's hover: engine, model, mode, time by hop, index and drops, with links to what helps. Markdown. */
import type { IndexerStatus, StatusResponse } from "@dhi/core/protocol";
import { t } from "./l10n.ts";
import { reasonWords, stepWords } from "./reasons.ts";
import { clock, count, isSnoozed, type LastAnswer, type Status } from "./status.ts";

/** The commands that a click in the hover may run. */
export const HOVER_COMMANDS = [
  ...[
    "dhi.doctor",
    "dhi.startServer",
    "dhi.stopServer",
    "dhi.endSnooze",
    "dhi.snooze",
    "dhi.toggle",
    "dhi.toggleLanguage",
  ],
  ...["dhi.showLastPrompt", "dhi.whyNoSuggestion", "dhi.pickModel", "dhi.pickMode"],
  "workbench.action.openSettings",
] as const;

type HoverCommand = (typeof HOVER_COMMANDS)[number];

export function statusHover(status: Status, now: number): string {
  return paragraphs(status, now).join("\n\n");
}

function paragraphs(status: Status, now: number): string[] {
  const { enabled, offLanguage, serverUrl, server, silence, last, onDemand } = status;
  if (!enabled && offLanguage)
    return [
      t("**Dhi is off** for {0}. Nothing of this file is sent to the server.", escaped(offLanguage)),
      links([t("Enable"), "dhi.toggleLanguage"], SETTINGS()),
    ];
  if (!enabled)
    return [
      t("**Dhi is off.** Nothing is sent to the server."),
      links([t("Enable"), "dhi.toggle"], SETTINGS()),
    ];
  if (isSnoozed(status, now))
    return [
      t("**Dhi is snoozed** until {0}. Nothing is sent to the server.", clock(status.snoozedUntil)),
      links([t("End snooze"), "dhi.endSnooze"], SETTINGS()),
    ];
  if (server?.kind === "unreachable" && status.startedHere)
    return [
      t(
        "**Dhi** is starting its server. The first start takes a few minutes; the output channel Dhi Server has its log.",
      ),
      links([t("Log"), "dhi.startServer"], [t("Stop"), "dhi.stopServer"], [t("Doctor"), "dhi.doctor"]),
    ];
  if (server && server.kind !== "ready")
    return [
      `$(warning) **Dhi**: ${escaped(server.message)}`,
      ...(server.hint ? [escaped(server.hint)] : []),
      ...(server.kind === "unreachable" ? [t("It is asked again every 5 seconds.")] : []),
      links([t("Start"), "dhi.startServer"], SETTINGS(), [t("Doctor"), "dhi.doctor"]),
    ];
  if (!server)
    return [t("**Dhi** asks {0} …", escaped(serverUrl)), links(SETTINGS(), [t("Doctor"), "dhi.doctor"])];
  return [
    t("**Dhi** {0} at {1}", escaped(server.status.version), escaped(serverUrl)),
    table([
      ...engineRows(server.status),
      ...indexRows(server.status, now),
      ...(last ? lastRows(last) : []),
      ...(silence ? [[t("No suggestion"), escaped(silence)] as const] : []),
      ...dropRows(server.status),
      ...(onDemand ? [[t("Asked"), ON_DEMAND[onDemand]()] as const] : []),
    ]),
    links(
      ...(last ? [LAST_PROMPT()] : []),
      [t("Why nothing here?"), "dhi.whyNoSuggestion"],
      [t("Model"), "dhi.pickModel"],
      [t("Mode"), "dhi.pickMode"],
      [t("Snooze"), "dhi.snooze"],
      SETTINGS(),
      [t("Doctor"), "dhi.doctor"],
    ),
  ];
}

const ON_DEMAND = {
  trigger: () => t("on demand only (dhi.trigger)"),
  battery: () => t("on demand only, while on battery"),
};

type Row = readonly [label: string, value: string];

function engineRows({ engine, mode }: StatusResponse): Row[] {
  return [
    [t("Model"), `${escaped(engine.model)} (${escaped(engine.name)})`],
    [t("Mode"), escaped(mode)],
    ...(engine.detail ? [[t("Engine"), escaped(engine.detail)] as const] : []),
    ...(engine.step === "full" ? [] : [[t("Spared"), stepWords(engine.step)] as const]),
  ];
}

function indexRows({ workspaces }: StatusResponse, now: number): Row[] {
  return workspaces.map(({ name, indexer }) => [
    workspaces.length > 1 ? t("Index of {0}", escaped(name)) : t("Index"),
    indexLine(indexer, now),
  ]);
}

function indexLine(indexer: IndexerStatus | null, now: number): string {
  if (!indexer) return t("the indexer does not answer");
  const { state, files, chunks, lastChangeAt, pendingEmbeddings, error } = indexer;
  if (state === "failed") return t("failed: {0}", escaped(error ?? t("no reason given")));
  return [
    `${count(files, "file")}, ${count(chunks, "chunk")}`,
    state === "watching" ? t("follows every change") : t("being brought up to date"),
    ...(pendingEmbeddings ? [t("{0} waiting for vectors", count(pendingEmbeddings, "chunk"))] : []),
    ...(lastChangeAt ? [t("last change {0}", ago(now - Date.parse(lastChangeAt)))] : []),
  ].join(", ");
}

/** Hops that took no time worth a number are left out. */
function lastRows({ ms, answer }: LastAnswer): Row[] {
  const { queue, retrieval, prompt, engine, postprocess, total } = answer.timings;
  const hops: Row[] = [
    [t("waiting"), ms1(queue)],
    [t("finding code"), ms1(retrieval)],
    [t("prompt"), ms1(prompt)],
    [t("model"), ms1(engine)],
    [t("checks"), ms1(postprocess)],
    [t("network"), ms1(ms - total)],
  ];
  const spent = hops.filter(([, value]) => value !== "0").map(([hop, value]) => `${hop} ${value}`);
  const reused = answer.reuse === "none" ? "" : `, ${t("from an earlier call")}`;
  return [
    [t("Last answer"), `${ms} ms${spent.length ? ` (${spent.join(" · ")})` : ""}${reused}`],
    [t("Sources"), sourcesLine(answer)],
  ];
}

const ms1 = (ms: number): string => String(Math.max(0, Math.round(ms)));

const SHOWN_SOURCES = 3;

function sourcesLine({ sources }: LastAnswer["answer"]): string {
  if (!sources.length) return t("this file only");
  const names = sources.slice(0, SHOWN_SOURCES).map(({ path }) => escaped(path));
  const more = sources.length - names.length;
  return names.join(", ") + (more ? ` ${t("and {0} more", more)}` : "");
}

const SHOWN_DROPS = 4;

function dropRows({ requests: { completions, shown, drops } }: StatusResponse): Row[] {
  if (!completions) return [];
  const most = Object.entries(drops).sort(([, a], [, b]) => b - a);
  const named = most.slice(0, SHOWN_DROPS).map(([reason, n]) => `${n} × ${escaped(reasonWords(reason))}`);
  const rows: Row[] = [[t("So far"), t("{0} of {1} requests showed text", shown, completions)]];
  return named.length ? [...rows, [t("Not shown"), named.join("<br>")]] : rows;
}

/** @param ms of the past; a clock that is behind counts as now */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (!Number.isFinite(seconds)) return t("at an unknown time");
  if (seconds < 60) return t("{0} s ago", seconds);
  if (seconds < 3600) return t("{0} min ago", Math.round(seconds / 60));
  if (seconds < 86_400) return t("{0} h ago", Math.round(seconds / 3600));
  return t("{0} d ago", Math.round(seconds / 86_400));
}

const table = (rows: readonly Row[]): string =>
  ["| | |", "|:--|:--|", ...rows.map(([label, value]) => `| ${label} | ${value} |`)].join("\n");

type Link = readonly [label: string, command: HoverCommand, argument?: string];

const LAST_PROMPT = (): Link => [t("Last prompt"), "dhi.showLastPrompt"];
const SETTINGS = (): Link => [t("Settings"), "workbench.action.openSettings", "dhi."];

const links = (...all: Link[]): string =>
  all
    .map(([label, command, argument]) => {
      const query = argument === undefined ? "" : `?${encodeURIComponent(JSON.stringify([argument]))}`;
      return `[${label}](command:${command}${query})`;
    })
    .join(" · ");

/** Text of servers and models, kept from being read as markdown. */
export const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]()#+!|<>~]/g, "\\$&").replace(/\s*\n\s*/g, " ");
