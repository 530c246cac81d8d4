/** "Dhi: Why No Suggestion Here?": the first thing in the way, in words, or that there is none. */
import type { FimDone } from "@dhi/core/protocol";
import { type Refusal, refusalWords } from "../control/gate.ts";
import { t } from "../l10n.ts";
import { reasonWords } from "../reasons.ts";
import { indexingPercent, type ServerState } from "../status.ts";

/** What can be known of a place before the server is asked. */
export interface Place {
  /** `editor.inlineSuggest.enabled` */
  readonly inlineSuggestIsOn: boolean;
  readonly cursors: number;
  readonly isFile: boolean;
  readonly refusal: Refusal | undefined;
  readonly server: ServerState | undefined;
}

export interface Finding {
  readonly words: string;
  /** What helps most. */
  readonly action?: "settings" | "enable" | "endSnooze" | "doctor" | "prompt";
}

/** @returns `undefined` when only the server can tell */
export function whyNotAsked(place: Place): Finding | undefined {
  const { inlineSuggestIsOn, cursors, isFile, refusal, server } = place;
  if (!inlineSuggestIsOn)
    return {
      words: t("VS Code shows no suggestions at all: editor.inlineSuggest.enabled is off."),
      action: "settings",
    };
  if (refusal && refusal.kind !== "manual" && refusal.kind !== "battery") return refused(refusal, isFile);
  if (cursors > 1)
    return {
      words: t("There are {0} cursors. A suggestion stands at one, and would change all of them.", cursors),
    };
  if (server && server.kind !== "ready") return { words: `Dhi: ${server.message}`, action: "doctor" };
  return undefined;
}

/** @param ms how long the editor waited */
export function whyAnswered(
  { completion, reason, finish, engine, model }: FimDone,
  ms: number,
  { refusal, server }: Pick<Place, "refusal" | "server">,
): Finding {
  if (completion) {
    const there = t("There is a suggestion here ({0} characters in {1} ms).", completion.length, ms);
    return {
      words: refusal ? `${there} ${sentence(refusalWords(refusal))}` : `${there} ${PRESS()}`,
      action: "prompt",
    };
  }
  const percent = server?.kind === "ready" ? indexingPercent(server.status) : undefined;
  const words = [
    t("No suggestion: {0}.", reasonWords(reason)),
    ...(finish === "deadline" ? [t("The time for an answer was over.")] : []),
    t("Asked just now: {0} ({1}), {2} ms.", model, engine, ms),
    ...(percent === undefined ? [] : [t("The index is being brought up to date ({0} %).", percent)]),
  ];
  return { words: words.join(" "), action: "prompt" };
}

const PRESS = () => t("Alt+\\ shows it; an open list of IntelliSense may hide it.");

function refused(refusal: Refusal, isFile: boolean): Finding {
  switch (refusal.kind) {
    case "off":
      return { words: t("Dhi is off here (dhi.enable). Nothing is sent."), action: "enable" };
    case "snoozed":
      return { words: `Dhi: ${refusalWords(refusal)}.`, action: "endSnooze" };
    case "not-served":
      return isFile
        ? { words: t("The server does not serve this file's folder."), action: "doctor" }
        : { words: t("This is no file of an open folder, so the server does not know it.") };
    case "secret":
      return { words: t("By its name this file may hold secrets. Nothing of it is ever sent.") };
    default:
      return { words: sentence(refusalWords(refusal)), action: "settings" };
  }
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
