/** "Dhi: Try a Sample": a first suggestion without having to think of something to type. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { t } from "../l10n.ts";
import type { ServedPlaces } from "../served-places.ts";
import { sampleEdit } from "../views/sample-edit.ts";
import { say } from "./say.ts";

const CODE = "**/*.{py,ts,tsx,js,jsx,go,rs,java,kt,rb,php,cs,c,cpp,swift}";
const NOT = "**/{node_modules,dist,build,vendor,target,.venv,venv}/**";
/** Files that are looked into: enough to find one with a call in it. */
const TRIES = 20;

export async function trySample(places: ServedPlaces): Promise<void> {
  const sample = await findSample(places);
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

async function findSample(places: ServedPlaces) {
  const open = vscode.window.activeTextEditor?.document;
  const found = await vscode.workspace.findFiles(CODE, NOT, TRIES);
  for (const uri of [...(open ? [open.uri] : []), ...found]) {
    if (!places.locate(uri)) continue;
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = sampleEdit(document.getText());
    if (edit) return { document, edit };
  }
  return undefined;
}
