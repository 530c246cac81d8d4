/** "Dhi: Try a Sample": a first suggestion without having to think of something to type. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { fileRefusal, type Pause, type Refusal, refusalWords } from "../control/gate.ts";
import { settings } from "../editor-settings.ts";
import { t } from "../l10n.ts";
import type { ServedPlaces } from "../served-places.ts";
import { type SampleEdit, sampleEdit } from "../views/sample-edit.ts";
import { say } from "./say.ts";

const CODE = "**/*.{py,ts,tsx,js,jsx,go,rs,java,kt,rb,php,cs,c,cpp,swift}";
const NOT = "**/{node_modules,dist,build,vendor,target,.venv,venv}/**";
/** Files that are looked into: enough to find one with a call in it. */
const TRIES = 20;

export async function trySample(places: ServedPlaces, pause: Pause): Promise<void> {
  const sample = await findSample(places, pause);
  if (sample?.kind === "refused") {
    void say(t("Dhi: no file to try it on: {0}.", refusalWords(sample.refusal)));
    return;
  }
  if (!sample) {
    void say(t("Dhi: no code to try it on, in the folders that the server serves."));
    return;
  }
  const { document, edit } = sample;
  const editor = await vscode.window.showTextDocument(document);
  const place = document.positionAt(edit.at);
  await editor.edit((change) => change.insert(place, edit.text));
  const cursor = document.lineAt(place.line + 1).range.end;
  editor.selection = new vscode.Selection(cursor, cursor);
  editor.revealRange(new vscode.Range(cursor, cursor), vscode.TextEditorRevealType.InCenter);
  await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
  vscode.window.setStatusBarMessage(t("Tab accepts the grey text, undo takes the line back."), 15_000);
}

type Sample =
  | { readonly kind: "found"; readonly document: vscode.TextDocument; readonly edit: SampleEdit }
  /** Why the first file in which nothing would be suggested is none. */
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function findSample(places: ServedPlaces, pause: Pause): Promise<Sample | undefined> {
  const open = vscode.window.activeTextEditor?.document;
  const found = await vscode.workspace.findFiles(CODE, NOT, TRIES);
  let refused: Sample | undefined;
  for (const uri of [...(open ? [open.uri] : []), ...found]) {
    const located = places.locate(uri);
    if (!located) continue;
    const document = await vscode.workspace.openTextDocument(uri);
    const refusal = fileRefusal(located, settings(document), pause);
    if (refusal) refused ??= { kind: "refused", refusal };
    const edit = refusal ? undefined : sampleEdit(document.getText());
    if (edit) return { kind: "found", document, edit };
  }
  return refused;
}
