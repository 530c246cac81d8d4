/** The status bar item, and the menu behind it. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { type Status, statusText } from "./status.ts";

export interface StatusBar extends vscode.Disposable {
  readonly current: () => Status;
  readonly update: (change: Partial<Status>) => void;
}

export function createStatusBar(initial: Status): StatusBar {
  let status = initial;
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 100);
  item.name = "Dhi";
  item.command = "dhi.menu";
  show();
  item.show();
  return {
    current: () => status,
    update(change) {
      status = { ...status, ...change };
      show();
    },
    dispose: () => item.dispose(),
  };

  function show(): void {
    const { text, tooltip, isWarning } = statusText(status);
    item.text = text;
    item.tooltip = new vscode.MarkdownString(tooltip);
    item.backgroundColor = isWarning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  }
}

export async function showMenu(enabled: boolean): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      enabled
        ? { label: "$(circle-slash) Disable Dhi", command: "dhi.toggle" }
        : { label: "$(check) Enable Dhi", command: "dhi.toggle" },
      { label: "$(database) Index Workspace", command: "dhi.indexWorkspace" },
      { label: "$(output) Show Output", command: "dhi.showOutput" },
      { label: "$(gear) Open Settings", command: "workbench.action.openSettings", argument: "dhi." },
    ],
    { title: "Dhi" },
  );
  if (picked)
    await vscode.commands.executeCommand(picked.command, ...("argument" in picked ? [picked.argument] : []));
}
