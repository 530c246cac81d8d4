/** "Dhi: Index Workspace": a progress notification that can be cancelled, and one clear message at the end. */
import type { Job } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { indexWorkspace, jobSummary } from "./index-workspace.ts";
import { type Server, ServerRefused } from "./server.ts";
import { abortSignal } from "./wait.ts";

/** @param log gets one line about how it ended */
export async function indexWorkspaceCommand(server: Server, log: (line: string) => void): Promise<void> {
  try {
    const job = await withProgress(server);
    const summary = jobSummary(job);
    log(summary);
    if (job.state === "failed") await offerRetry(summary, server, log);
    else void vscode.window.showInformationMessage(summary);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      log("indexing cancelled");
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof ServerRefused && error.hint ? ` ${error.hint}` : "";
    log(`indexing failed: ${message}`);
    await offerRetry(`Dhi: ${message}${hint}`, server, log);
  }
}

async function withProgress(server: Server): Promise<Job> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "Dhi: indexing",
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) => {
    let shown = 0;
    return indexWorkspace(
      server,
      ({ percent, message }) => {
        progress.report({ increment: percent - shown, message });
        shown = percent;
      },
      abortSignal(token),
    );
  });
}

async function offerRetry(message: string, server: Server, log: (line: string) => void): Promise<void> {
  const picked = await vscode.window.showErrorMessage(message, "Retry", "Open Settings", "Show Output");
  if (picked === "Retry") await indexWorkspaceCommand(server, log);
  if (picked === "Open Settings")
    await vscode.commands.executeCommand("workbench.action.openSettings", "dhi.serverUrl");
  if (picked === "Show Output") await vscode.commands.executeCommand("dhi.showOutput");
}
