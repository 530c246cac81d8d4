/** Everything between the editor's events and the server that ends in ghost text: connects the parts, decides nothing. */
import { join } from "node:path";
import { documentContext } from "@dhi/client/document-context";
import { createDocumentSync } from "@dhi/client/document-sync";
import { createEditRecorder } from "@dhi/client/edit-recorder";
import { createGhostFeed } from "@dhi/client/ghost-feed";
import { createLookAhead } from "@dhi/client/look-ahead";
import { createWarmUps, type WarmUp } from "@dhi/client/warm-ups";
// biome-ignore lint/correctness/noUndeclaredDependencies: provided by the editor
import * as vscode from "vscode";
import { type CompletionDeps, createCompleteAtCursor } from "../complete-at-cursor.ts";
import { fetchCompletion } from "../completion-client.ts";
import { fileRefusal } from "../control/gate.ts";
import { createEditorHints } from "../editor-hints.ts";
import { serverOf } from "../editor-settings.ts";
import { fileOf, isFile, SCHEMES } from "../ghost-text-place.ts";
import { createInlineCompletionProvider, lineDocument, type Offered } from "../inline-completion-provider.ts";
import { addressOf, type Located } from "../locate-file.ts";
import { callForJson } from "../server.ts";
import { createCachedSettings } from "./cached-settings.ts";
import { createEditLog } from "./edit-log.ts";
import { followDocuments } from "./follow-documents.ts";
import { createOtherSuggestions, inlineSuggest } from "./other-suggestions.ts";
import { createRefreshGhostText } from "./refresh-ghost-text.ts";

export interface FlowDeps
  extends Pick<CompletionDeps, "sessionId" | "pause" | "onLoading" | "onOutcome" | "onNoRequest"> {
  /** Of a file on this machine. */
  readonly locate: (uri: vscode.Uri) => Located | undefined;
  /** A folder of the extension's own, which may not be there yet. */
  readonly storage: string;
}

export interface Flow extends vscode.Disposable {
  /** The server is there again, or serves other folders: it may have forgotten all buffers. */
  serverIsBack(): void;
  /** What may be sent has changed: what is asked ends, buffers that may not be sent are withdrawn, and others sent. */
  lookAgain(): void;
}

/** A server that takes longer for what nobody waits for is not worth a socket. */
const ANSWER_MS = 10_000;

export function registerFlow({ locate, pause, sessionId, storage, ...told }: FlowDeps): Flow {
  const cached = createCachedSettings();
  const server = () => serverOf(cached.of());
  const hints = createEditorHints();
  const refresh = createRefreshGhostText();
  const others = createOtherSuggestions(refresh);
  const post = (path: string, body: object, signal?: AbortSignal) => {
    const within = AbortSignal.timeout(ANSWER_MS);
    return callForJson(
      server(),
      { method: "POST", path, body },
      signal ? AbortSignal.any([signal, within]) : within,
    );
  };

  const completeAtCursor = createCompleteAtCursor({
    ...{ fetchCompletion, server, pause, sessionId, ...told },
    hints: (at) => hints.hints(at, hintedPlaces(), performance.now()),
    onGrown: refresh.grown,
  });
  const sync = createDocumentSync({ sessionId, send: (body, signal) => post("/v1/documents", body, signal) });
  const documents = followDocuments(sync, mayBeSent);
  const warmUps = createWarmUps((body) => post("/v1/warm", body));
  const lookAhead = createLookAhead((body) => post("/v1/warm", body));
  const feed = createGhostFeed({
    isOn: mayBeTold,
    send: (events) => post("/v1/events", { events }),
    read(id, start, end) {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === id);
      if (!document || !mayBeSent(document)) return undefined;
      return document.getText(new vscode.Range(document.positionAt(start), document.positionAt(end)));
    },
  });
  const editLog = createEditLog(join(storage, "edits"));
  const recorder = createEditRecorder(editLog.write);
  /** The document of the last cursor that was seen, at which version. */
  let seen: { readonly document: vscode.TextDocument; readonly version: number } | undefined;

  showTabs();
  editorShown(vscode.window.activeTextEditor);
  const listeners = [
    vscode.languages.registerInlineCompletionItemProvider(
      SCHEMES.map((scheme) => ({ scheme })),
      createInlineCompletionProvider({
        completeAtCursor,
        settings: cached.of,
        locate: placeOf,
        refreshing: refresh.refreshing,
        onOffered,
      }),
    ),
    vscode.commands.registerCommand("dhi.suggest", others.suggest),
    vscode.commands.registerCommand("dhi.nextAlternative", () => others.step("showNext")),
    vscode.commands.registerCommand("dhi.previousAlternative", () => others.step("showPrevious")),
    vscode.commands.registerCommand("dhi.acceptLine", () => inlineSuggest("acceptNextLine")),
    vscode.commands.registerCommand("dhi.dismiss", dismiss),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => cursorMoved(textEditor)),
    vscode.window.onDidChangeActiveTextEditor(editorShown),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) warmUp(vscode.window.activeTextEditor);
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const uri of urisOf(closed)) hints.closed(uri.toString());
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => recorder.ended(uri.toString())),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("dhi")) lookAgain();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(lookAgain),
  ];

  return {
    lookAgain,
    serverIsBack() {
      documents.lookAgain();
      sync.resend();
      warmUp(vscode.window.activeTextEditor);
    },
    dispose() {
      abandon();
      lookAhead.cancel();
      vscode.Disposable.from(...listeners, documents, cached, feed, editLog).dispose();
    },
  };

  function placeOf(uri: vscode.Uri): Located | undefined {
    const file = fileOf(uri, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    return file === undefined ? undefined : locate(vscode.Uri.file(file));
  }

  function mayBeSent(document: vscode.TextDocument): Located | undefined {
    const located = placeOf(document.uri);
    return fileRefusal(located, cached.of(document), pause()) ? undefined : located;
  }

  /** @returns where the server has a file by its address, `undefined` when nothing of it may be sent */
  function hintedPlaces(): (file: string) => Located | undefined {
    const open = new Map(
      vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
    );
    return (file) => {
      const document = open.get(file);
      if (document) return mayBeSent(document);
      // Of which language it is nobody knows, so what holds for all of them decides.
      const located = placeOf(vscode.Uri.parse(file));
      return fileRefusal(located, cached.of(), pause()) ? undefined : located;
    };
  }

  /** Whether events are wanted, and Dhi is on: for some language at least. */
  function mayBeTold(): boolean {
    if (!cached.of().localMetrics || Date.now() < pause().snoozedUntil) return false;
    return vscode.workspace.textDocuments.some((document) => cached.of(document).enable);
  }

  /** Escape, while more is being written. */
  function dismiss(): Thenable<unknown> {
    refresh.dismissed();
    abandon();
    return inlineSuggest("hide");
  }

  function abandon(): void {
    others.cancel();
    completeAtCursor.abandon();
  }

  function lookAgain(): void {
    completeAtCursor.stop();
    documents.lookAgain();
  }

  function changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const file = mayBeSent(document);
    documents.changed(document, file);
    if (contentChanges.length === 0) return;
    lookAhead.cancel();
    others.cancel();
    const nowMs = performance.now();
    const id = document.uri.toString();
    if (!file || !cached.of().recordEdits) recorder.ended(id);
    for (const { rangeOffset, rangeLength, text, range } of contentChanges) {
      const change = { document: id, offset: rangeOffset, length: rangeLength, text };
      recorder.changed(change);
      const kind = feed.changed(change, nowMs);
      if (kind === "accepted" || kind === "partial") completeAtCursor.pace.accepted();
      else if (vscode.window.activeTextEditor?.document === document) completeAtCursor.pace.typed(nowMs);
      const addedLines = text.split("\n").length - 1;
      if (file && isFile(document.uri))
        hints.edited(id, { startLine: range.start.line, endLine: range.end.line, addedLines }, nowMs);
    }
  }

  function onOffered(offered: Offered): void {
    refresh.offered(offered);
    const { document, position, start, selected, suggestion, others, ms } = offered;
    const { requestId } = suggestion.request;
    if (requestId === undefined) return;
    // As VS Code puts it in.
    const inserted = (text: string) =>
      document.eol === vscode.EndOfLine.CRLF ? text.replace(/\r?\n/g, "\r\n") : text;
    const shown = {
      ...{ requestId, languageId: document.languageId, document: document.uri.toString() },
      ...{ start: document.offsetAt(start), cursor: document.offsetAt(position) },
      ...{ text: selected + inserted(suggestion.text), selected: selected.length, latencyMs: Math.round(ms) },
      others: others.map(({ request, text }) => ({
        requestId: request.requestId ?? "",
        text: inserted(text),
      })),
    };
    feed.offer(shown, performance.now());
  }

  /** Typing moves it too; then the document has another version by now. */
  function cursorMoved(editor: vscode.TextEditor): void {
    // Typing moves the cursor of another editor that has the same document.
    if (vscode.window.activeTextEditor !== editor) return;
    const { document, selection } = editor;
    const { version } = document;
    if (seen?.document === document && seen.version === version) {
      abandon();
      lookAhead.moved(() => cursorIn(editor));
    }
    seen = { document, version };
    const offset = document.offsetAt(selection.active);
    feed.moved({ document: document.uri.toString(), offset }, performance.now());
  }

  function editorShown(editor: vscode.TextEditor | undefined): void {
    abandon();
    feed.moved(undefined, performance.now());
    seen = editor && { document: editor.document, version: editor.document.version };
    // Cells of a notebook have no lines or offsets in their file.
    const file = editor && isFile(editor.document.uri) ? mayBeSent(editor.document) : undefined;
    if (editor && file) {
      hints.used(editor.document.uri.toString());
      if (cached.of().recordEdits) record(editor.document, file);
    }
    warmUp(editor);
    if (editor) lookAhead.moved(() => cursorIn(editor));
    else lookAhead.cancel();
  }

  function record(document: vscode.TextDocument, file: Located): void {
    const { languageId, uri } = document;
    recorder.shown({ ...file, document: uri.toString(), languageId, text: () => document.getText() });
  }

  function warmUp(editor: vscode.TextEditor | undefined): void {
    if (editor) warmUps.wanted(() => cursorIn(editor), performance.now());
  }

  /** @returns `undefined` when nothing of the document may be sent, or what nobody asked for is to cost no power */
  function cursorIn({ document, selection }: vscode.TextEditor): WarmUp | undefined {
    const file = mayBeSent(document);
    if (!file || (cached.of(document).pauseOnBattery && pause().isOnBattery)) return undefined;
    const { languageId, prefix, suffix } = documentContext(lineDocument(document), selection.active);
    return { sessionId, ...addressOf(file), languageId, prefix, suffix };
  }

  /** Tabs that are open already, as if each had been looked at in turn. */
  function showTabs(): void {
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    for (const uri of urisOf(tabs.toReversed())) if (isFile(uri)) hints.used(uri.toString());
  }
}

const urisOf = (tabs: readonly vscode.Tab[]): vscode.Uri[] =>
  tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
