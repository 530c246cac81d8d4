/** The status bar item. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { Pause } from "./control/gate.ts";
import type { Settings } from "./settings.ts";
import type { Status } from "./status.ts";
import { HOVER_COMMANDS } from "./status-hover.ts";
import { statusText } from "./status-text.ts";

export interface StatusBar extends vscode.Disposable {
  readonly current: () => Status;
  readonly update: (change: Partial<Status>) => void;
}

/** A key may change it several times, and each drawing takes the extension host as long as the rest of the key. */
const TOGETHER_MS = 50;

export function createStatusBar(control: ControlStatus): StatusBar {
  let status: Status = {
    ...{ ...control, server: undefined, startedHere: false },
    ...{ loading: 0, silence: undefined, last: undefined },
  };
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 100);
  // Not while VS Code waits for `activate`: its hover takes longer than the rest of that.
  let timer: NodeJS.Timeout | undefined = setTimeout(show);
  item.name = "Dhi";
  item.text = "Dhi";
  item.show();
  return {
    current: () => status,
    update(change) {
      status = { ...status, ...change };
      timer ??= setTimeout(show, TOGETHER_MS);
    },
    dispose() {
      clearTimeout(timer);
      item.dispose();
    },
  };

  function show(): void {
    timer = undefined;
    const { text, spoken, tooltip, isWarning, command } = statusText(status);
    item.text = text;
    item.command = command;
    item.accessibilityInformation = { label: spoken, role: "button" };
    item.tooltip = hover(tooltip);
    item.color = isWarning ? new vscode.ThemeColor("statusBarItem.warningForeground") : undefined;
    item.backgroundColor = isWarning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  }
}

function hover(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = { enabledCommands: HOVER_COMMANDS };
  // For the line breaks inside a cell; everything that servers say is escaped.
  markdown.supportHtml = true;
  return markdown;
}

export type ControlStatus = Pick<
  Status,
  "enabled" | "offLanguage" | "serverUrl" | "snoozedUntil" | "onDemand"
>;

/**
 * What the user's own switches say.
 *
 * @param document that is open, which may have a language with settings of its own
 */
export function controlStatus(
  settings: (document?: vscode.TextDocument) => Settings,
  document: vscode.TextDocument | undefined,
  { snoozedUntil, isOnBattery }: Pause,
): ControlStatus {
  const all = settings();
  const { enable, trigger } = document ? settings(document) : all;
  const onBattery = all.pauseOnBattery && isOnBattery ? "battery" : undefined;
  return {
    ...{ enabled: enable, offLanguage: all.enable && !enable ? document?.languageId : undefined },
    ...{ serverUrl: all.serverUrl, snoozedUntil, onDemand: trigger === "manual" ? "trigger" : onBattery },
  };
}
