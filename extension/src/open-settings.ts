/** VS Code's settings page, at what helps. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";

export async function openSettings(query = "dhi."): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}
