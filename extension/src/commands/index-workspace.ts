/** "Dhi: Index Workspace": a progress notification that can be cancelled, and one clear message at the end. */
import { abortSignal } from "@dhi/client/abort-signal";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { IndexPlan } from "../index-plan.ts";
import { type IndexResult, indexSummary, indexWorkspace } from "../index-workspace.ts";
import { t } from "../l10n.ts";
import type { Server } from "../server.ts";
import { say, withoutLinks } from "./say.ts";
import { type Offer, offer, showServerError } from "./show-server-error.ts";

export interface IndexCommandDeps {
  /** Asked again for each try: folders are opened and closed, and the server may serve others by then. */
  readonly plan: () => IndexPlan;
  /** Gets one line about how it ended. */
  readonly log: (line: string) => void;
  /** Called once the job has ended in any way, while its message may still be open. */
  readonly onEnd: () => void;
}

export async function indexWorkspaceCommand(server: Server, deps: IndexCommandDeps): Promise<void> {
  const taken = await indexOnce(server, deps);
  if (taken === "retry") await indexWorkspaceCommand(server, deps);
}

async function indexOnce(server: Server, deps: IndexCommandDeps): Promise<Offer | undefined> {
  try {
    const plan = deps.plan();
    const results = plan.targets.length ? await withProgress(server, plan).finally(deps.onEnd) : [];
    const summary = indexSummary(results, plan.notServed);
    deps.log(summary);
    if (!results.length || results.some(({ job }) => job.state === "failed"))
      return await offer(summary, ["retry", "doctor", "output"]);
    void say(summary);
  } catch (error) {
    const isCancelled = error instanceof Error && error.name === "AbortError";
    const message = error instanceof Error ? error.message : String(error);
    deps.log(isCancelled ? "indexing cancelled" : `indexing failed: ${message}`);
    if (!isCancelled) return showServerError(error, ["retry"]);
  }
  return undefined;
}

async function withProgress(server: Server, { targets }: IndexPlan): Promise<IndexResult[]> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("Dhi: indexing"),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) => {
    let shown = 0;
    return indexWorkspace(
      server,
      targets,
      ({ percent, message }) => {
        progress.report({ increment: percent - shown, message: withoutLinks(message) });
        shown = percent;
      },
      abortSignal(token),
    );
  });
}
