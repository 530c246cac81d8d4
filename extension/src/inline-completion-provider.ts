/** VS Code's interface to ghost text: cursor in, item out. What happens in between is `complete-at-cursor.ts`. */
import { abortSignal } from "@dhi/client/abort-signal";
import type { Suggestion } from "@dhi/client/completion-flow";
import type { Replacement } from "@dhi/client/document-context";
import { below, type LineDocument } from "@dhi/client/line-document";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import type { CompleteAtCursor, Cursor } from "./complete-at-cursor.ts";
import type { Located } from "./locate-file.ts";
import type { Settings } from "./settings.ts";

export interface ProviderDeps {
  readonly completeAtCursor: Pick<CompleteAtCursor, "complete" | "alternatives">;
  readonly settings: (document: vscode.TextDocument) => Settings;
  readonly locate: (uri: vscode.Uri) => Located | undefined;
  /** Whether this is Dhi asking again for what it showed, in whose name; else who asks is in VS Code's context. */
  readonly refreshing: () => Cursor["trigger"] | undefined;
  readonly onOffered: (offered: Offered) => void;
}

/** What VS Code got to show. */
export interface Offered {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly position: vscode.Position;
  /** Where the item begins. */
  readonly start: vscode.Position;
  /** It begins with what the suggest widget has selected, if anything. */
  readonly selected: string;
  readonly suggestion: Suggestion;
  /** What "show next" goes through. */
  readonly others: readonly Suggestion[];
  readonly trigger: Cursor["trigger"];
  /** VS Code asked by hand, whoever made it: here it asks no second time until the ghost text was hidden. */
  readonly isInvoked: boolean;
  /** Has others written that are not among `others` yet. @returns all that there is by then, as `complete` would have it first */
  readonly bringOthers: (signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly ms: number;
}

export function createInlineCompletionProvider(deps: ProviderDeps): vscode.InlineCompletionItemProvider {
  return {
    async provideInlineCompletionItems(document, position, context, token) {
      const startedAt = performance.now();
      if (isSelecting(document)) return undefined;
      const selected = context.selectedCompletionInfo;
      if (selected && !canGoOn(document, position, selected)) return undefined;
      const isInvoked = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
      const trigger = deps.refreshing() ?? (isInvoked ? "manual" : "automatic");
      const { document: lines, shift } = withCellsAbove(document);
      const at = selected ? replacement(selected) : position;
      const located = deps.locate(document.uri);
      const cursor = { document: lines, located, at: movedDown(at, shift), trigger };
      const { version } = document;
      const [settings, signal] = [deps.settings(document), abortSignal(token)];
      const suggestion = await deps.completeAtCursor.complete(cursor, settings, signal);
      if (!suggestion || token.isCancellationRequested) return undefined;

      const { start, end } = selected ? selected.range : new vscode.Range(position, position);
      const item = ({ text, replaces }: Suggestion) =>
        new vscode.InlineCompletionItem(
          (selected?.text ?? "") + text,
          new vscode.Range(start, end.translate(0, replaces)),
        );
      // Asked for by hand where one is shown already, as "show next" does too: the user wants others.
      const wantsOthers = trigger === "manual" && suggestion.isKnown && !selected && !deps.refreshing();
      const bringOthers = (wanted: AbortSignal) =>
        deps.completeAtCursor.alternatives(cursor, settings, wanted);
      const all = wantsOthers ? await bringOthers(signal) : [suggestion];
      if (token.isCancellationRequested) return undefined;
      deps.onOffered({
        ...{ document, version, position, start, trigger, isInvoked, bringOthers },
        ...{ suggestion: all[0] ?? suggestion, others: all.slice(1) },
        ...{ selected: selected?.text ?? "", ms: performance.now() - startedAt },
      });
      return all.map(item);
    },
  };
}

/** Ghost text stands at one cursor only: accepting it would change what is selected, or all of several cursors. */
function isSelecting(document: vscode.TextDocument): boolean {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return false;
  return editor.selections.length > 1 || !editor.selection.isEmpty;
}

/**
 * VS Code shows an item beside the suggest widget only when it goes on from both the typed text and the selected one. A
 * selected text of several lines is a snippet with places to fill in, which ghost text would stand in the way of.
 */
function canGoOn(
  document: vscode.TextDocument,
  position: vscode.Position,
  { range, text }: vscode.SelectedCompletionInfo,
): boolean {
  return !text.includes("\n") && text.startsWith(document.getText(new vscode.Range(range.start, position)));
}

const replacement = ({ range: { start, end }, text }: vscode.SelectedCompletionInfo): Replacement => ({
  ...{ start, end, text },
});

function movedDown(at: Cursor["at"], lines: number): Cursor["at"] {
  const moved = ({ line, character }: { readonly line: number; readonly character: number }) => ({
    line: line + lines,
    character,
  });
  return "start" in at ? { start: moved(at.start), end: moved(at.end), text: at.text } : moved(at);
}

/** What the cells above define is what a cell uses; those in other languages are prose or results. */
function withCellsAbove(document: vscode.TextDocument): ReturnType<typeof below> {
  if (document.uri.scheme !== "vscode-notebook-cell") return { document: lineDocument(document), shift: 0 };
  const cells = vscode.workspace.notebookDocuments
    .find((notebook) => notebook.uri.path === document.uri.path)
    ?.getCells();
  const index = cells?.findIndex((cell) => cell.document === document) ?? 0;
  const above = (cells?.slice(0, index) ?? [])
    .map((cell) => cell.document)
    .filter(({ languageId }) => languageId === document.languageId);
  return below(above.map(lineDocument), lineDocument(document));
}

export const lineDocument = (document: vscode.TextDocument): LineDocument => ({
  languageId: document.languageId,
  get version() {
    return document.version;
  },
  lineCount: document.lineCount,
  lineAt: (line) => document.lineAt(line).text,
});
