/** Asks once how a server is started, and where Dhi is: what is answered becomes `dhi.server.command`. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";
import { openSettings } from "../open-settings.ts";
import { missingIn, type ServerKind, serverCommandIn } from "../server-set-up.ts";
import { sayError } from "./say.ts";

/** @returns whether there is a command by then */
export async function setUpServer(): Promise<boolean> {
  const picked = await vscode.window.showQuickPick(ways(), {
    title: t("Dhi: how is your server started?"),
    placeHolder: t("Asked once; dhi.server.command keeps it"),
    ignoreFocusOut: true,
  });
  if (!picked) return false;
  const { way } = picked;
  if (way === "elsewhere") {
    await openSettings("dhi.serverUrl");
    return false;
  }
  if (way === "steps") {
    await vscode.commands.executeCommand("dhi.openWalkthrough");
    return false;
  }
  const folder = await folderWithDhi(way);
  if (folder === undefined) return false;
  const config = vscode.workspace.getConfiguration("dhi");
  await config.update("server.command", serverCommandIn(folder, way), vscode.ConfigurationTarget.Global);
  return true;
}

/** @returns `undefined` when the user leaves, or the folder is another, which is said */
async function folderWithDhi(kind: ServerKind): Promise<string | undefined> {
  const [picked] =
    (await vscode.window.showOpenDialog({
      ...{ canSelectFolders: true, canSelectFiles: false, title: t("The folder with Dhi") },
      openLabel: t("Use This Folder"),
    })) ?? [];
  if (!picked) return undefined;
  const missing = missingIn(picked.fsPath, kind);
  if (missing === undefined) return picked.fsPath;
  void sayError(t("Dhi: {0} has no {1}, so it is no folder with Dhi.", picked.fsPath, missing));
  return undefined;
}

function ways() {
  return [
    {
      label: `$(terminal) ${t("With Node, in a folder with Dhi")}`,
      detail: t("npm start: needs Node 20 or newer; the first start takes a few minutes"),
      way: "node",
    },
    {
      label: `$(package) ${t("With Docker Compose, in a folder with Dhi")}`,
      detail: t("docker compose up: brings Chroma, Ollama and a model"),
      way: "compose",
    },
    {
      label: `$(globe) ${t("It runs elsewhere, or I start it myself")}`,
      detail: t("set its address: dhi.serverUrl"),
      way: "elsewhere",
    },
    { label: `$(book) ${t("I have none yet")}`, detail: t("the steps, one by one"), way: "steps" },
  ] as const;
}
