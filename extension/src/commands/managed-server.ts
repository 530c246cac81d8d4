/** "Dhi: Start Server" and "Dhi: Stop Server", by `dhi.server.command`. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { openFolders, settings } from "../editor-settings.ts";
import { t } from "../l10n.ts";
import { createManagedServer, filledIn, type ManagedServer } from "../managed-server.ts";
import { openSettings } from "../open-settings.ts";
import { sayError } from "./say.ts";
import { setUpServer } from "./set-up-server.ts";

export interface ManagedServerCommands {
  readonly isRunning: () => boolean;
  start(): Promise<void>;
  /** Also called when VS Code ends. */
  stop(): Promise<void>;
}

/**
 * @param openLog called when a server is started first
 * @param onChange called when it was started and when it has ended
 */
export function managedServerCommands(
  openLog: () => vscode.OutputChannel,
  onChange: () => void,
): ManagedServerCommands {
  let opened: vscode.OutputChannel | undefined;
  const log = () => {
    opened ??= openLog();
    return opened;
  };
  const server = createManagedServer({
    onLine: (line) => log().appendLine(line),
    onEnd(how) {
      log().appendLine(t("The server has ended: {0}.", how));
      changed();
    },
  });
  return {
    isRunning: server.isRunning,
    start: () => start(server, log(), changed),
    stop: server.stop,
  };

  function changed(): void {
    void vscode.commands.executeCommand("setContext", "dhi.serverStarted", server.isRunning());
    onChange();
  }
}

async function start(server: ManagedServer, log: vscode.OutputChannel, changed: () => void): Promise<void> {
  if (server.isRunning()) {
    log.show(true);
    return;
  }
  // It runs in the open folder, where a program or script of that folder may be what its name means.
  if (!vscode.workspace.isTrusted) {
    void sayError(
      t("Dhi: no server is started in a folder that is not trusted (Workspaces: Manage Workspace Trust)."),
    );
    return;
  }
  if (!settings().serverCommand.length && !(await setUpServer())) return;
  const { serverCommand, serverDirectory } = settings();
  const folder = openFolders()[0]?.path;
  const command = filledIn(serverCommand, folder);
  if (!command) {
    void sayError(t("Dhi: the server's command names the open folder, and none is open."));
    return;
  }
  log.show(true);
  log.appendLine(`> ${command.join(" ")}`);
  try {
    await server.start({ command, directory: serverDirectory || folder });
    changed();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    log.appendLine(words);
    const change = t("Settings");
    const picked = await sayError(t("Dhi: the server was not started: {0}", words), change);
    if (picked) await openSettings("dhi.server");
  }
}
