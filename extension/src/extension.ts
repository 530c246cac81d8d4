/** Builds the parts and registers them with VS Code, nothing more. */
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import type { StatusResponse } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { createCompleteAtCursor, type Outcome } from "./complete-at-cursor.ts";
import { fetchCompletion } from "./completion-client.ts";
import { createIndexOnSave } from "./index-on-save.ts";
import { planIndex } from "./index-plan.ts";
import { indexWorkspaceCommand } from "./index-workspace-command.ts";
import { createInlineCompletionProvider } from "./inline-completion-provider.ts";
import { type Located, locateFile, type ServedWorkspace, type WorkspaceFolder } from "./locate-file.ts";
import { indexedLine, nameOf, outcomeLine } from "./log-line.ts";
import type { Server } from "./server.ts";
import { readSettings, type Settings } from "./settings.ts";
import { silenceOf } from "./status.ts";
import { createStatusBar, showMenu } from "./status-bar.ts";
import { failedState, watchServer } from "./watch-server.ts";

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Dhi", { log: true });
  const statusBar = createStatusBar({
    enabled: settings().enable,
    serverUrl: settings().serverUrl,
    server: undefined,
    loading: 0,
    silence: undefined,
    last: undefined,
  });
  /** As last heard: an error in between does not change which files belong where. */
  let served: StatusResponse["workspaces"] | undefined;
  const serverWatch = watchServer(
    () => (settings().enable ? serverOf(settings()) : undefined),
    (server) => {
      if (server.kind === "ready") served = server.status.workspaces;
      statusBar.update({ server });
    },
  );

  const completeAtCursor = createCompleteAtCursor({
    fetchCompletion,
    sessionId: randomUUID(),
    onLoading: (change) => statusBar.update({ loading: statusBar.current().loading + change }),
    onOutcome,
    onNoRequest: (silence) => statusBar.update({ silence }),
  });
  const indexOnSave = createIndexOnSave({
    onIndexed: (file, answer) => output.info(indexedLine(file, answer)),
    onFailed(file, server, error) {
      const state = failedState(server, error);
      output.warn(`index ${nameOf(file)}: ${"message" in state ? state.message : ""}`);
      if (state.kind === "unreachable") statusBar.update({ server: state });
    },
  });

  context.subscriptions.push(
    output,
    statusBar,
    serverWatch,
    indexOnSave,
    vscode.languages.registerInlineCompletionItemProvider(
      { scheme: "file" },
      createInlineCompletionProvider({ completeAtCursor, settings, locate }),
    ),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const now = settings(document);
      const located = locate(document.uri);
      if (now.enable && located) void indexOnSave.saved(located, serverOf(now));
    }),
    // Why there was nothing in one file says nothing about the next.
    vscode.window.onDidChangeActiveTextEditor(() => statusBar.update({ silence: undefined })),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("dhi")) return;
      const { enable: enabled, serverUrl } = settings();
      served = undefined;
      statusBar.update({ enabled, serverUrl, server: undefined, silence: undefined, last: undefined });
      serverWatch.refresh();
    }),
    vscode.commands.registerCommand("dhi.indexWorkspace", () =>
      indexWorkspaceCommand(serverOf(settings()), {
        plan: () => planIndex(openFolders(), servedWorkspaces()),
        log: (line) => output.info(line),
        onEnd: () => serverWatch.refresh(),
      }),
    ),
    vscode.commands.registerCommand("dhi.toggle", toggle),
    vscode.commands.registerCommand("dhi.showOutput", () => output.show()),
    vscode.commands.registerCommand("dhi.menu", () => showMenu(settings().enable)),
  );

  function onOutcome(outcome: Outcome): void {
    if (outcome.kind === "failed") {
      output.warn(outcomeLine(outcome));
      statusBar.update({ server: failedState(serverOf(settings()), outcome.error), silence: undefined });
      serverWatch.refresh();
      return;
    }
    output.info(outcomeLine(outcome));
    const { answer, ms } = outcome;
    const { engine, model, mode } = answer;
    const last = { ms, engine, model, mode, sources: answer.sources.length };
    statusBar.update({ silence: silenceOf(answer), last });
    if (statusBar.current().server?.kind !== "ready") serverWatch.refresh();
  }

  function locate(uri: vscode.Uri): Located | undefined {
    return locateFile(uri.fsPath, openFolders(), servedWorkspaces());
  }

  function servedWorkspaces(): ServedWorkspace[] | undefined {
    return served?.map(({ name, path }) => ({ name, path, isHere: existsSync(path) }));
  }
}

/** @param scope the document whose language or folder may have settings of its own */
const settings = (scope?: vscode.TextDocument): Settings =>
  readSettings(vscode.workspace.getConfiguration("dhi", scope));

const serverOf = ({ serverUrl, token }: Settings): Server => ({ url: serverUrl, token });

const openFolders = (): WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).map(({ name, uri: { fsPath } }) => ({
    name,
    path: fsPath,
    realPath: realPath(fsPath),
  }));

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Deleted under the editor's feet.
    return path;
  }
}

/** Where the setting stands it is changed: a workspace that switched Dhi off is not overruled for all others. */
async function toggle(): Promise<void> {
  const config = vscode.workspace.getConfiguration("dhi");
  const inWorkspace = config.inspect<boolean>("enable")?.workspaceValue !== undefined;
  const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await config.update("enable", !settings().enable, target);
}
