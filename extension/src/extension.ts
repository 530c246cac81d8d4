/** The map of the extension: which parts there are, and what each hears of the others. */
import { randomUUID } from "node:crypto";
import type { FimRequestInput } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { managedServerCommands } from "./commands/managed-server.ts";
import type { Outcome } from "./complete-at-cursor.ts";
import { fileRefusal } from "./control/gate.ts";
import { createPause } from "./control/pause.ts";
import { serverOf, settings } from "./editor-settings.ts";
import { registerFlow } from "./flow/register-flow.ts";
import { createIndexOnSave } from "./index-on-save.ts";
import { useTranslations } from "./l10n.ts";
import { indexedLine, nameOf, outcomeLine } from "./log-line.ts";
import { silenceOf } from "./reasons.ts";
import { registerCommands } from "./register-commands.ts";
import { createServedPlaces } from "./served-places.ts";
import { ServerRefused } from "./server.ts";
import { controlStatus, createStatusBar } from "./status-bar.ts";
import { failedState, watchServer } from "./watch-server.ts";

/** Stops what must not outlive the editor. */
let stopServer: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  useTranslations(vscode.l10n.t);
  const output = vscode.window.createOutputChannel("Dhi", { log: true });
  const lastRequest: { current: FimRequestInput | undefined } = { current: undefined };

  const places = createServedPlaces();
  const pause = createPause({ onChange: controlsChanged });
  const control = () => controlStatus(settings, vscode.window.activeTextEditor?.document, pause.now());
  const statusBar = createStatusBar(control());
  /** Off means off: while snoozed nobody is asked how it is, either. */
  const isQuiet = () =>
    (!settings().enable && !statusBar.current().enabled) || pause.now().snoozedUntil > Date.now();
  /** Of the server that last answered. */
  let startedAt: string | undefined;
  const serverWatch = watchServer(
    () => (isQuiet() ? undefined : serverOf(settings())),
    (server) => {
      if (server.kind === "ready") {
        const isAnother = server.status.startedAt !== startedAt;
        startedAt = server.status.startedAt;
        places.heard(server.status);
        if (isAnother || statusBar.current().server?.kind !== "ready") flow.serverIsBack();
      }
      statusBar.update({ server });
      void vscode.commands.executeCommand("setContext", "dhi.serverReady", server.kind === "ready");
    },
  );
  const managed = managedServerCommands(openServerLog, () => {
    statusBar.update({ startedHere: managed.isRunning() });
    serverWatch.refresh();
  });
  stopServer = managed.stop;
  pause.watchBattery(settings().pauseOnBattery);

  const flow = registerFlow({
    locate: places.locate,
    pause: pause.now,
    sessionId: randomUUID(),
    storage: context.globalStorageUri.fsPath,
    onLoading: (change) => statusBar.update({ loading: statusBar.current().loading + change }),
    onOutcome,
    onNoRequest: (silence) => statusBar.update({ silence }),
  });
  const indexOnSave = createIndexOnSave({
    onIndexed: (file, answer) => output.info(indexedLine(file, answer)),
    onFailed(file, server, error) {
      const state = failedState(server, error);
      output.warn(`index ${nameOf(file)}: ${"message" in state ? state.message : ""}`);
      // It may only be slow: how it is, it says itself.
      serverWatch.refresh();
    },
  });

  context.subscriptions.push(
    ...[output, statusBar, places, serverWatch, pause, indexOnSave, flow],
    vscode.workspace.onDidSaveTextDocument((document) => {
      const now = settings(document);
      const located = places.locate(document.uri);
      if (located && !fileRefusal(located, now, pause.now())) void indexOnSave.saved(located, serverOf(now));
    }),
    // Why there was nothing in one file says nothing about the next, whose language may be off or on for itself.
    vscode.window.onDidChangeActiveTextEditor(() => {
      const wasQuiet = isQuiet();
      statusBar.update({ ...control(), silence: undefined });
      if (isQuiet() === wasQuiet) return;
      statusBar.update({ server: undefined });
      serverWatch.refresh();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("dhi")) return;
      if (change.affectsConfiguration("dhi.serverUrl")) places.heard(undefined);
      pause.watchBattery(settings().pauseOnBattery);
      controlsChanged();
    }),
    registerCommands({
      ...{ extension: context.extension, output, statusBar, pause, places, managed, lastRequest },
      refresh: serverWatch.refresh,
    }),
  );

  function openServerLog(): vscode.OutputChannel {
    const log = vscode.window.createOutputChannel("Dhi Server");
    context.subscriptions.push(log);
    return log;
  }

  function controlsChanged(): void {
    statusBar.update({ ...control(), server: undefined, silence: undefined, last: undefined });
    void vscode.commands.executeCommand("setContext", "dhi.snoozed", pause.now().snoozedUntil > 0);
    flow.lookAgain();
    serverWatch.refresh();
  }

  function onOutcome(outcome: Outcome): void {
    if (outcome.kind === "failed") {
      output.warn(outcomeLine(outcome));
      const { error } = outcome;
      // A server that refused this one may be well, which it says itself: its words are why there is nothing.
      statusBar.update(
        error instanceof ServerRefused
          ? { silence: brief(error.message) }
          : { server: failedState(serverOf(settings()), error), silence: undefined },
      );
      serverWatch.refresh();
      return;
    }
    output.info(outcomeLine(outcome));
    const { request, answer, ms } = outcome;
    lastRequest.current = request;
    statusBar.update({ silence: silenceOf(answer), last: { ms, answer } });
    if (statusBar.current().server?.kind !== "ready") serverWatch.refresh();
  }
}

/** Of words that may be long, what the status bar has room for; the output has them all. */
const brief = (words: string): string => (words.length > BRIEF ? `${words.slice(0, BRIEF)}…` : words);
const BRIEF = 80;

/** A server that this window started ends with it. */
export async function deactivate(): Promise<void> {
  await stopServer?.();
}
