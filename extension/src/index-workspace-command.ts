/** "Dhi: Index Workspace": a progress notification that can be cancelled, and one clear message at the end. */
import type { Job } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { indexWorkspace, jobSummary } from "./index-workspace.ts";
import { type Server, ServerRefused } from "./server.ts";
import { abortSignal } from "./wait.ts";

export interface IndexCommandDeps {
  /** Gets one line about how it ended. */
  readonly log: (line: string) => void;
  /** Called once the job has ended in any way, while its message may still be open. */
  readonly onEnd: () => void;
}

export async function indexWorkspaceCommand(server: Server, deps: IndexCommandDeps): Promise<void> {
  try {
    const job = await withProgress(server).finally(deps.onEnd);
    const summary = jobSummary(job);
    deps.log(summary);
    if (job.state === "failed") await offerRetry(summary, server, deps);
    else void vscode.window.showInformationMessage(summary);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") {
      deps.log("indexing cancelled");
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof ServerRefused && error.hint ? ` ${error.hint}` : "";
    deps.log(`indexing failed: ${message}`);
    await offerRetry(`Dhi: ${message}${hint}`, server, deps);
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

async function offerRetry(message: string, server: Server, deps: IndexCommandDeps): Promise<void> {
  const picked = await vscode.window.showErrorMessage(message, "Retry", "Open Settings", "Show Output");
  if (picked === "Retry") await indexWorkspaceCommand(server, deps);
  if (picked === "Open Settings")
    await vscode.commands.executeCommand("workbench.action.openSettings", "dhi.serverUrl");
  if (picked === "Show Output") await vscode.commands.executeCommand("dhi.showOutput");
}
