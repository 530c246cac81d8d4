/** What the status bar says: pure text from what is known. */
import { t } from "./l10n.ts";
import { clock, indexingPercent, isEngineDown, isSnoozed, type LastAnswer, type Status } from "./status.ts";
import { statusHover } from "./status-hover.ts";

export interface StatusText {
  /** With `$(icon)`s of VS Code. */
  readonly text: string;
  /** For a screen reader. */
  readonly spoken: string;
  /** Markdown. */
  readonly tooltip: string;
  readonly isWarning: boolean;
  readonly command: "dhi.menu" | "dhi.endSnooze";
}

export function statusText(status: Status, now = Date.now()): StatusText {
  const { icon, says, isWarning = false } = headline(status, now);
  return {
    text: [...(icon ? [`$(${icon})`] : []), says ? `Dhi: ${says}` : "Dhi"].join(" "),
    spoken: says ? t("Dhi code suggestions: {0}", says) : t("Dhi code suggestions: ready"),
    tooltip: statusHover(status, now),
    isWarning,
    command: isSnoozed(status, now) ? "dhi.endSnooze" : "dhi.menu",
  };
}

interface Headline {
  readonly icon?: string;
  /** After "Dhi:"; empty when there is nothing to say. */
  readonly says: string;
  readonly isWarning?: boolean;
}

/** The most urgent thing first: off, no server, work in progress, why there was nothing, how the last one went. */
function headline(status: Status, now: number): Headline {
  const { enabled, offLanguage, server, loading, silence, last, serverUrl, onDemand } = status;
  if (!enabled) return { icon: "circle-slash", says: offLanguage ? t("off for {0}", offLanguage) : t("off") };
  if (isSnoozed(status, now))
    return { icon: "bell-slash", says: t("snoozed until {0}", clock(status.snoozedUntil)) };
  if (server?.kind === "unreachable" && status.startedHere)
    return { icon: "sync~spin", says: t("server is starting") };
  if (server?.kind === "unreachable") {
    const says = t("server unreachable at {0}", hostOf(serverUrl));
    return { icon: "warning", says, isWarning: true };
  }
  if (server?.kind === "failing") return { icon: "warning", says: t("server error"), isWarning: true };
  if (isEngineDown(server)) return { icon: "warning", says: t("model not available"), isWarning: true };
  if (server?.kind === "ready") {
    const percent = indexingPercent(server.status);
    if (percent !== undefined) return { icon: "sync~spin", says: t("indexing {0} %", percent) };
    if (server.status.engine.status === "starting") return { icon: "sync~spin", says: t("model loading") };
  }
  const says = silence ? t("no suggestion: {0}", silence) : lastWords(last);
  if (loading > 0) return { icon: "loading~spin", says };
  return { says: says || (onDemand === "trigger" ? t("on demand") : onDemand ? t("on battery") : "") };
}

const lastWords = (last: LastAnswer | undefined): string =>
  last ? t("{0} · {1} ms", last.answer.mode, last.ms) : "";

/** Shorter than the address, and all that matters of it at a glance. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
