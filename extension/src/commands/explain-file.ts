/** "Dhi: Explain File": is it in the index, and why not. */
import type { ExplainResponse } from "@dhi/core/protocol";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { fileRefusal, refusalWords } from "../control/gate.ts";
import { serverOf, settings } from "../editor-settings.ts";
import { t } from "../l10n.ts";
import type { ServedPlaces } from "../served-places.ts";
import { callForJson } from "../server.ts";
import { explainWords } from "../views/explain-words.ts";
import { say } from "./say.ts";
import { showServerError } from "./show-server-error.ts";

const ANSWER_MS = 10_000;

/** @param uri of a file in the explorer's menu; without it the open file */
export async function explainFile(places: ServedPlaces, uri?: vscode.Uri): Promise<void> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (!file) {
    void say(t("Dhi: open a file first."));
    return;
  }
  const located = places.locate(file);
  if (!located) {
    void say(t("Dhi: {0} is in no folder that the server serves.", vscode.workspace.asRelativePath(file)));
    return;
  }
  // A name alone tells nothing of what is inside, so files that are never sent can be asked about.
  const refusal = fileRefusal(located, settings());
  const query = new URLSearchParams({
    ...(located.workspace !== undefined && { workspace: located.workspace }),
    path: located.path,
  });
  try {
    const call = { method: "GET", path: `/v1/explain?${query}` } as const;
    const server = serverOf(settings());
    const answer = await callForJson<ExplainResponse>(server, call, AbortSignal.timeout(ANSWER_MS));
    const held = refusal ? ` ${t("This editor sends nothing of it: {0}.", refusalWords(refusal))}` : "";
    void say(`Dhi: ${explainWords(answer)}${held}`);
  } catch (error) {
    await showServerError(error);
  }
}
