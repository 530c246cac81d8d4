/** What a click on the status bar offers. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";

export interface MenuState {
  readonly enabled: boolean;
  readonly snoozed: boolean;
  readonly onDemand: boolean;
  /** One answers, whoever started it. */
  readonly serverAnswers: boolean;
  /** By this window. */
  readonly serverStarted: boolean;
  /** Of the open file, when there is one. */
  readonly language: { readonly id: string; readonly enabled: boolean } | undefined;
}

export async function showMenu(state: MenuState): Promise<void> {
  const picked = await vscode.window.showQuickPick(menuEntries(state), { title: "Dhi" });
  if (picked?.command) await vscode.commands.executeCommand(picked.command, ...(picked.arguments ?? []));
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments?: readonly string[];
}

function menuEntries(state: MenuState): Entry[] {
  const { enabled, snoozed, onDemand, serverAnswers, serverStarted, language } = state;
  const group = (label: string): Entry => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    {
      label: enabled ? `$(circle-slash) ${t("Disable Dhi")}` : `$(check) ${t("Enable Dhi")}`,
      command: "dhi.toggle",
    },
    ...(language ? [languageEntry(language)] : []),
    snoozed
      ? { label: `$(bell) ${t("End Snooze")}`, command: "dhi.endSnooze" }
      : { label: `$(bell-slash) ${t("Snooze…")}`, command: "dhi.snooze" },
    {
      label: onDemand ? `$(zap) ${t("Suggest While Typing")}` : `$(keyboard) ${t("Suggest on Demand")}`,
      command: "dhi.toggleTrigger",
    },
    group(t("this file")),
    { label: `$(question) ${t("Why No Suggestion Here?")}`, command: "dhi.whyNoSuggestion" },
    { label: `$(search) ${t("Explain File")}`, command: "dhi.explainFile" },
    { label: `$(list-tree) ${t("Show Last Prompt")}`, command: "dhi.showLastPrompt" },
    group(t("server")),
    { label: `$(server-environment) ${t("Choose Model…")}`, command: "dhi.pickModel" },
    { label: `$(layers) ${t("Choose Context Mode…")}`, command: "dhi.pickMode" },
    { label: `$(database) ${t("Index Workspace")}`, command: "dhi.indexWorkspace" },
    ...(serverStarted ? [{ label: `$(debug-stop) ${t("Stop Server")}`, command: "dhi.stopServer" }] : []),
    ...(!serverAnswers && !serverStarted
      ? [{ label: `$(play) ${t("Start Server")}`, command: "dhi.startServer" }]
      : []),
    { label: `$(pulse) ${t("Doctor")}`, command: "dhi.doctor" },
    group(t("help")),
    { label: `$(output) ${t("Show Output")}`, command: "dhi.showOutput" },
    { label: `$(gear) ${t("Open Settings")}`, command: "workbench.action.openSettings", arguments: ["dhi."] },
    { label: `$(book) ${t("Get Started")}`, command: "dhi.openWalkthrough" },
  ];
}

function languageEntry({ id, enabled }: NonNullable<MenuState["language"]>): Entry {
  const label = enabled ? t("Disable for {0}", id) : t("Enable for {0}", id);
  return { label: `$(code) ${label}`, command: "dhi.toggleLanguage" };
}
