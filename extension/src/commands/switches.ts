/** The commands that switch: on and off, per language, snooze, on demand. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { PauseControl } from "../control/pause.ts";
import { changeSetting, isSetFor, settings } from "../editor-settings.ts";
import { t } from "../l10n.ts";
import { say } from "./say.ts";

export const toggle = (): Promise<void> => changeSetting("enable", !settings().enable);

export async function toggleLanguage(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void say(t("Dhi: open a file of the language first."));
    return;
  }
  const { languageId } = document;
  const enable = !settings(document).enable;
  // As for all languages: one with a value of its own would stay on when Dhi is switched off.
  if (enable === settings().enable) await changeSetting("enable", undefined, languageId);
  if (settings(document).enable !== enable) await changeSetting("enable", enable, languageId);
  const words = enable ? t("Dhi is on for {0}.", languageId) : t("Dhi is off for {0}.", languageId);
  vscode.window.setStatusBarMessage(words, 4_000);
}

/** Where the language of the open file has a value of its own, that is changed: another would not be seen. */
export async function toggleTrigger(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const automatic = settings(document).trigger === "manual";
  const language = document && isSetFor("trigger", document.languageId) ? document.languageId : undefined;
  await changeSetting("trigger", automatic ? "automatic" : "manual", language);
  vscode.window.setStatusBarMessage(triggerWords(automatic, language), 4_000);
}

function triggerWords(automatic: boolean, language: string | undefined): string {
  if (language === undefined)
    return automatic ? t("Dhi suggests while you type.") : t("Dhi suggests on demand: Alt+\\.");
  return automatic
    ? t("Dhi suggests while you type in {0}.", language)
    : t("Dhi suggests on demand in {0}: Alt+\\.", language);
}

const MINUTE_MS = 60_000;

export async function snooze(pause: PauseControl): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: t("5 minutes"), ms: 5 * MINUTE_MS },
      { label: t("1 hour"), ms: 60 * MINUTE_MS },
    ],
    { title: t("Dhi: nothing is sent and nothing is shown for") },
  );
  if (picked) pause.snooze(picked.ms);
}
