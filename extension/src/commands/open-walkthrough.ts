/** "Dhi: Get Started". */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";

/** @param isReady whether the server answers */
export async function openWalkthrough(extensionId: string, isReady: boolean): Promise<void> {
  // VS Code ticks a step off when its context becomes true, and not when it is true already as the steps are read, which
  // happens when a walkthrough is opened for the first time.
  await setReady(false);
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`);
  await setReady(isReady);
}

const setReady = (isReady: boolean) =>
  vscode.commands.executeCommand("setContext", "dhi.serverReady", isReady);
