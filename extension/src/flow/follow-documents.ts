/** Keeps the server's copies of unsaved buffers in step with the editor. */
import type { DocumentSync, OpenBuffer } from "@dhi/client/document-sync";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { isFile } from "../ghost-text-place.ts";
import { addressOf, type Located } from "../locate-file.ts";

export interface FollowedDocuments extends vscode.Disposable {
  /** @param place where the server has it; `undefined` when nothing of it may be sent */
  changed(document: vscode.TextDocument, place: Located | undefined): void;
  /** All of them are to be looked at again: settings, folders, or the server may be others. */
  lookAgain(): void;
}

/** @param mayBeSent as `place` of `changed` */
export function followDocuments(
  sync: DocumentSync,
  mayBeSent: (document: vscode.TextDocument) => Located | undefined,
): FollowedDocuments {
  const changed = (document: vscode.TextDocument, place: Located | undefined) => {
    if (isFile(document.uri)) sync.changed(bufferOf(document, place));
  };
  const look = (document: vscode.TextDocument) => changed(document, mayBeSent(document));
  const lookAgain = () => vscode.workspace.textDocuments.forEach(look);
  // Buffers that were unsaved when the window was closed are there again, and no event says so.
  lookAgain();
  const listeners = [
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(look),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => sync.closed(uri.toString())),
  ];
  return { changed, lookAgain, dispose: () => vscode.Disposable.from(...listeners, sync).dispose() };
}

const bufferOf = (document: vscode.TextDocument, place: Located | undefined): OpenBuffer => ({
  id: document.uri.toString(),
  place: place && addressOf(place),
  languageId: document.languageId,
  isDirty: document.isDirty,
  version: () => document.version,
  text: () => document.getText(),
});
