/** One message for a call that failed, with what helps. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";
import { openSettings } from "../open-settings.ts";
import { ServerRefused, ServerUnreachable } from "../server.ts";

/** @throws what is neither a refusal of the server nor its absence */
export async function showServerError(error: unknown): Promise<void> {
  if (!(error instanceof ServerRefused || error instanceof ServerUnreachable)) throw error;
  const hint = error instanceof ServerRefused && error.hint ? ` ${error.hint}` : "";
  const [start, settings, doctor] = [t("Start Server"), t("Settings"), t("Doctor")];
  const offers = error instanceof ServerUnreachable ? [start, settings, doctor] : [doctor];
  const picked = await vscode.window.showErrorMessage(`Dhi: ${error.message}${hint}`, ...offers);
  if (picked === start) await vscode.commands.executeCommand("dhi.startServer");
  if (picked === settings) await openSettings("dhi.serverUrl");
  if (picked === doctor) await vscode.commands.executeCommand("dhi.doctor");
}
