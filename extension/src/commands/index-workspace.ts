/** "Dhi: Index Workspace": a progress notification that can be cancelled, and one clear message at the end. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { abortSignal } from "../abort-signal.ts";
import type { IndexPlan } from "../index-plan.ts";
import { type IndexResult, indexSummary, indexWorkspace } from "../index-workspace.ts";
import { type Server, ServerRefused } from "../server.ts";

export interface IndexCommandDeps {
  /** Asked again for each try: folders are opened and closed, and the server may serve others by then. */
  readonly plan: () => IndexPlan;
  /** Gets one line about how it ended. */
  readonly log: (line: string) => void;
  /** Called once the job has ended in any way, while its message may still be open. */
  readonly onEnd: () => void;
}

export async function indexWorkspaceCommand(server: Server, deps: IndexCommandDeps): Promise<void> {
  try {
    const plan = deps.plan();
    const results = plan.targets.length ? await withProgress(server, plan).finally(deps.onEnd) : [];
    const summary = indexSummary(results, plan.notServed);
    deps.log(summary);
    if (results.every(({ job }) => job.state !== "failed") && results.length)
      void vscode.window.showInformationMessage(summary);
    else await offerRetry(summary, server, deps);
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

async function withProgress(server: Server, { targets }: IndexPlan): Promise<IndexResult[]> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "Dhi: indexing",
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) => {
    let shown = 0;
    return indexWorkspace(
      server,
      targets,
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
