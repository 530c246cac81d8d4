/** "Dhi: Choose Model" and "Dhi: Choose Context Mode": what the server can be changed to while it runs. */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import type { ContextMode } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";
import { callForJson, type Server, ServerRefused } from "../server.ts";
import { showServerError } from "./show-server-error.ts";

/** A change of the model may load it, and a self-test may follow. */
const ANSWER_MS = 60_000;

export async function chooseConfig(
  what: "model" | "mode",
  server: Server,
  onChanged: () => void,
): Promise<void> {
  try {
    // Open while the server is still asking its own: it shows that it waits.
    const choices = call(server).then(what === "model" ? models : modes);
    const picked = await vscode.window.showQuickPick(choices, {
      title: what === "model" ? t("Dhi: model of the running server") : t("Dhi: what goes into the prompt"),
      placeHolder: t("Holds until the server stops; its settings say what it starts with"),
      matchOnDescription: true,
      // The walkthrough takes the focus when it ticks this step off.
      ignoreFocusOut: true,
    });
    if (!picked?.change) return;
    const { change } = picked;
    const progress = { location: vscode.ProgressLocation.Window, title: t("Dhi: changing") };
    const changed = await vscode.window.withProgress(progress, () => call(server, change));
    onChanged();
    const name = what === "model" ? changed.model : changed.mode;
    vscode.window.setStatusBarMessage(t("Dhi now uses {0}.", name), 4_000);
  } catch (error) {
    await showServerError(error instanceof ServerRefused && error.status === 404 ? tooOld() : error);
  }
}

const call = (server: Server, body?: ConfigRequest): Promise<ConfigResponse> =>
  callForJson(
    server,
    body ? { method: "PUT", path: "/v1/config", body } : { method: "GET", path: "/v1/config" },
    AbortSignal.timeout(ANSWER_MS),
  );

const tooOld = () => new ServerRefused(404, t("This server is too old to be changed while it runs."));

interface Choice extends vscode.QuickPickItem {
  readonly change?: ConfigRequest;
}

function models({ model, models: all, engine, engines }: ConfigResponse): Choice[] {
  const names = all.some(({ name }) => name === model)
    ? all
    : [{ name: model, bytes: null, canInfill: null }, ...all];
  return [
    ...names.map(
      ({ name, bytes, canInfill }): Choice => ({
        label: name,
        description: [
          ...(name === model ? [t("in use")] : []),
          ...(bytes === null ? [] : [gigabytes(bytes)]),
        ].join(", "),
        ...(canInfill === false && { detail: t("cannot fill in the middle: it will be refused") }),
        ...(name !== model && { change: { model: name } }),
      }),
    ),
    { label: t("engine"), kind: vscode.QuickPickItemKind.Separator },
    ...engines.map(
      (name): Choice => ({
        label: name,
        ...(name === engine ? { description: t("in use") } : { change: { engine: name } }),
      }),
    ),
  ];
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

const MODES: Readonly<Record<ContextMode, () => string>> = {
  rag: () => t("everything that is found in the repository"),
  symbols: () => t("definitions of the names near the cursor only"),
  simple: () => t("the file's path and the file"),
  raw: () => t("nothing but the file"),
};

const modes = ({ mode, modes: all }: ConfigResponse): Choice[] =>
  all.map((name) => ({
    label: name,
    detail: MODES[name](),
    ...(name === mode ? { description: t("in use") } : { change: { mode: name } }),
  }));
