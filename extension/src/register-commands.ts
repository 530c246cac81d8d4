/** Every command of the manifest: which function it runs. What each does stands in `commands/`. */
import type { FimRequestInput } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { chooseConfig } from "./commands/choose-config.ts";
import { doctor } from "./commands/doctor.ts";
import { explainFile } from "./commands/explain-file.ts";
import { indexWorkspaceCommand } from "./commands/index-workspace.ts";
import type { ManagedServerCommands } from "./commands/managed-server.ts";
import { showMenu } from "./commands/menu.ts";
import { openWalkthrough } from "./commands/open-walkthrough.ts";
import { showLastPrompt } from "./commands/show-last-prompt.ts";
import { snooze, toggle, toggleLanguage, toggleTrigger } from "./commands/switches.ts";
import { trySample } from "./commands/try-sample.ts";
import { whyNoSuggestion } from "./commands/why-no-suggestion.ts";
import { fetchCompletion } from "./completion-client.ts";
import { fileRefusal } from "./control/gate.ts";
import type { PauseControl } from "./control/pause.ts";
import { openFolders, serverOf, settings } from "./editor-settings.ts";
import type { ServedPlaces } from "./served-places.ts";
import type { StatusBar } from "./status-bar.ts";
import { sourceFile } from "./views/source-file.ts";
import { createVirtualPages } from "./views/virtual-pages.ts";

export interface CommandDeps {
  readonly extension: vscode.Extension<unknown>;
  readonly output: vscode.LogOutputChannel;
  readonly statusBar: StatusBar;
  readonly pause: PauseControl;
  readonly places: ServedPlaces;
  readonly managed: ManagedServerCommands;
  /** Asks the server how it is, now. */
  readonly refresh: () => void;
  /** The newest request of this window that was answered, to show its prompt. */
  readonly lastRequest: { current: FimRequestInput | undefined };
}

export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const { extension, output, statusBar, pause, places, managed, refresh, lastRequest } = deps;
  const pages = createVirtualPages((file) => sourceFile(file, openFolders(), places.served() ?? []));
  const server = () => serverOf(settings());
  const refusalOf = ({ path, languageId }: FimRequestInput) =>
    fileRefusal({ path }, settings(languageId === undefined ? undefined : { languageId }), pause.now());
  const isSnoozed = () => pause.now().snoozedUntil > Date.now();

  const commands: Readonly<Record<string, (argument?: vscode.Uri) => unknown>> = {
    "dhi.menu": () => {
      const document = vscode.window.activeTextEditor?.document;
      const here = settings(document);
      return showMenu({
        ...{ enabled: settings().enable, snoozed: isSnoozed(), onDemand: here.trigger === "manual" },
        serverAnswers: ["ready", "failing"].includes(statusBar.current().server?.kind ?? ""),
        serverStarted: managed.isRunning(),
        language: document && { id: document.languageId, enabled: here.enable },
      });
    },
    "dhi.toggle": toggle,
    "dhi.toggleLanguage": toggleLanguage,
    "dhi.toggleTrigger": toggleTrigger,
    "dhi.snooze": () => snooze(pause),
    "dhi.endSnooze": () => pause.snooze(0),
    "dhi.pickModel": () => chooseConfig("model", server(), refresh),
    "dhi.pickMode": () => chooseConfig("mode", server(), refresh),
    "dhi.indexWorkspace": () =>
      indexWorkspaceCommand(server(), {
        ...{ plan: places.indexPlan, onEnd: refresh },
        log: (line) => output.info(line),
      }),
    "dhi.explainFile": (uri) => explainFile(places, uri),
    "dhi.whyNoSuggestion": () =>
      whyNoSuggestion({
        ...{ places, pause: pause.now, status: statusBar.current },
        fetchCompletion: (whom, request, signal) => fetchCompletion(whom, request, () => {}, signal),
        onAsked(request) {
          lastRequest.current = request;
        },
      }),
    "dhi.showLastPrompt": () => showLastPrompt(server(), lastRequest.current, refusalOf, pages),
    "dhi.doctor": () =>
      doctor({ places, pages, isSnoozed, extensionVersion: String(extension.packageJSON.version) }),
    "dhi.startServer": managed.start,
    "dhi.stopServer": managed.stop,
    "dhi.showOutput": () => output.show(),
    "dhi.trySample": () => trySample(places, pause.now()),
    "dhi.openWalkthrough": () => openWalkthrough(extension.id, statusBar.current().server?.kind === "ready"),
  };
  return vscode.Disposable.from(
    pages,
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
}
