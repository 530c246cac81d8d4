/** VS Code's interface to ghost text: cursor in, item out. What happens in between is `complete-at-cursor.ts`. */
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { CompleteAtCursor } from "./complete-at-cursor.ts";
import type { ReadableDocument, Replacement } from "./document-context.ts";
import type { Located } from "./locate-file.ts";
import type { Settings } from "./settings.ts";
import { abortSignal } from "./wait.ts";

export interface ProviderDeps {
  readonly completeAtCursor: CompleteAtCursor;
  readonly settings: (document: vscode.TextDocument) => Settings;
  readonly locate: (uri: vscode.Uri) => Located | undefined;
}

export function createInlineCompletionProvider(deps: ProviderDeps): vscode.InlineCompletionItemProvider {
  return {
    async provideInlineCompletionItems(document, position, context, token) {
      if (hasSeveralCursors(document)) return undefined;
      const selected = context.selectedCompletionInfo;
      if (selected && !continuesWhatIsTyped(document, position, selected)) return undefined;
      const cursor = {
        document: readable(document),
        located: deps.locate(document.uri),
        at: selected ? replacement(document, selected) : document.offsetAt(position),
        trigger: context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke ? "manual" : "automatic",
      } as const;
      const text = await deps.completeAtCursor(cursor, deps.settings(document), abortSignal(token));
      if (!text || token.isCancellationRequested) return undefined;
      return [
        selected
          ? new vscode.InlineCompletionItem(selected.text + text, selected.range)
          : new vscode.InlineCompletionItem(text, new vscode.Range(position, position)),
      ];
    },
  };
}

/** Ghost text stands at one cursor only; accepting it would change all of them. */
function hasSeveralCursors(document: vscode.TextDocument): boolean {
  const editor = vscode.window.activeTextEditor;
  return editor?.document === document && editor.selections.length > 1;
}

/** VS Code shows an item beside the suggest widget only when it goes on from both the typed text and the selected one. */
function continuesWhatIsTyped(
  document: vscode.TextDocument,
  position: vscode.Position,
  { range, text }: vscode.SelectedCompletionInfo,
): boolean {
  return text.startsWith(document.getText(new vscode.Range(range.start, position)));
}

function replacement(
  document: vscode.TextDocument,
  { range, text }: vscode.SelectedCompletionInfo,
): Replacement {
  return { start: document.offsetAt(range.start), end: document.offsetAt(range.end), text };
}

function readable(document: vscode.TextDocument): ReadableDocument {
  return {
    languageId: document.languageId,
    version: document.version,
    textBetween: (start, end) =>
      document.getText(new vscode.Range(document.positionAt(start), document.positionAt(end))),
  };
}
