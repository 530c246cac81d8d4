/**
 * As much of the `vscode` module as the request flow uses, with a hand on it: tests import it under that name
 * (vitest.config.ts) and act as the user through `editor`.
 */
import { type Change, TextDocument } from "./fake-vscode/text-document.ts";
import {
  CancellationTokenSource,
  Disposable,
  eventOf,
  type InlineCompletionItem,
  InlineCompletionTriggerKind,
  type Position,
  TabInputText,
  Uri,
} from "./fake-vscode/values.ts";

export * from "./fake-vscode/text-document.ts";
export * from "./fake-vscode/values.ts";

interface TextEditor {
  readonly document: TextDocument;
  selection: { readonly active: Position; readonly isEmpty: boolean };
  selections: readonly unknown[];
}

type Provider = {
  provideInlineCompletionItems(
    document: TextDocument,
    position: Position,
    context: object,
    token: object,
  ): Promise<InlineCompletionItem[] | undefined>;
};

const events = {
  opened: eventOf<TextDocument>(),
  closed: eventOf<TextDocument>(),
  saved: eventOf<TextDocument>(),
  changed: eventOf<{ readonly document: TextDocument; readonly contentChanges: readonly Change[] }>(),
  settings: eventOf<{ affectsConfiguration(section: string): boolean }>(),
  folders: eventOf<void>(),
  selection: eventOf<{ readonly textEditor: TextEditor }>(),
  shown: eventOf<TextEditor | undefined>(),
  focus: eventOf<{ readonly focused: boolean }>(),
  tabs: eventOf<{ readonly closed: readonly { readonly input: unknown }[] }>(),
};

let documents: TextDocument[] = [];
let notebooks: { readonly uri: Uri; readonly cells: readonly TextDocument[] }[] = [];
/** By key, or by a key such as `[python] enable` for one language. */
let settingValues: Record<string, unknown> = {};
let settingsReads = 0;
let active: TextEditor | undefined;
let folders: string[] = [];
let tabs: Uri[] = [];
let provider:
  | { readonly selector: readonly { readonly scheme: string }[]; readonly is: Provider }
  | undefined;
let asking = new CancellationTokenSource();
let ran: string[] = [];
let messages: string[] = [];
let refreshes: Promise<InlineCompletionItem[] | undefined>[] = [];

export const workspace = {
  get textDocuments() {
    return documents;
  },
  get notebookDocuments() {
    return notebooks.map(({ uri, cells }) => ({
      uri,
      getCells: () => cells.map((document) => ({ document })),
    }));
  },
  get workspaceFolders() {
    return folders.length ? folders.map((path) => ({ name: "shop", uri: Uri.file(path) })) : undefined;
  },
  getWorkspaceFolder: (_: Uri) => undefined,
  getConfiguration: (_?: string, scope?: { readonly languageId: string }) => ({
    get(key: string) {
      settingsReads++;
      return settingValues[`[${scope?.languageId ?? ""}] ${key}`] ?? settingValues[key];
    },
    inspect: (key: string) => ({
      globalValue: settingValues[key],
      globalLanguageValue: settingValues[`[${scope?.languageId ?? ""}] ${key}`],
    }),
    async update(key: string, value: unknown, _target: number, isOfLanguage: boolean) {
      editor.set({ [isOfLanguage ? `[${scope?.languageId}] ${key}` : key]: value });
    },
  }),
  onDidChangeConfiguration: events.settings.on,
  onDidChangeWorkspaceFolders: events.folders.on,
  onDidOpenTextDocument: events.opened.on,
  onDidCloseTextDocument: events.closed.on,
  onDidSaveTextDocument: events.saved.on,
  onDidChangeTextDocument: events.changed.on,
};

export const window = {
  get activeTextEditor() {
    return active;
  },
  tabGroups: {
    get all() {
      return [{ tabs: tabs.map((uri) => ({ input: new TabInputText(uri) })) }];
    },
    onDidChangeTabs: events.tabs.on,
  },
  setStatusBarMessage: (words: string) => void messages.push(words),
  onDidChangeTextEditorSelection: events.selection.on,
  onDidChangeActiveTextEditor: events.shown.on,
  onDidChangeWindowState: events.focus.on,
};

export const languages = {
  registerInlineCompletionItemProvider(selector: readonly { readonly scheme: string }[], is: Provider) {
    provider = { selector, is };
    return new Disposable(() => {
      provider = undefined;
    });
  },
};

const registered = new Map<string, (argument?: unknown) => unknown>();

/** Where it was asked for by hand: VS Code does not ask there again, until something changes or it is hidden. */
let invoked: { readonly document: TextDocument; readonly version: number; readonly at: Position } | undefined;

function isInvokedHere(): boolean {
  const { document, selection } = current();
  return (
    invoked?.document === document &&
    invoked.version === document.version &&
    invoked.at.isEqual(selection.active)
  );
}

export const commands = {
  registerCommand(command: string, run: (argument?: unknown) => unknown): Disposable {
    registered.set(command, run);
    return new Disposable(() => registered.delete(command));
  },
  async executeCommand(command: string, argument?: unknown): Promise<void> {
    ran.push(command);
    if (command.startsWith("dhi.")) return void (await registered.get(command)?.(argument));
    if (command.endsWith(".hide")) invoked = undefined;
    if (command === "setContext" || /\.(?:acceptNextLine|hide)$/.test(command)) return;
    if (!/^editor\.action\.inlineSuggest\.(?:trigger|showNext|showPrevious)$/.test(command))
      throw new Error(`no command ${command}`);
    if (isInvokedHere()) return;
    // VS Code takes it for the user's own wish.
    const refresh = editor.suggest({ triggerKind: InlineCompletionTriggerKind.Invoke });
    refreshes.push(refresh);
    await refresh;
  },
};

/** The user. */
export const editor = {
  /** As after a start, with these settings and one open folder. */
  start(settings: Record<string, unknown>, folder = "/code/shop"): void {
    for (const { listeners } of Object.values(events)) listeners.clear();
    documents = [];
    notebooks = [];
    settingValues = settings;
    settingsReads = 0;
    active = undefined;
    folders = [folder];
    tabs = [];
    asking = new CancellationTokenSource();
    refreshes = [];
    ran = [];
    messages = [];
    invoked = undefined;
  },
  /** What the status bar said for a while. */
  messages: () => messages,
  /** The commands that were run. */
  ran: () => ran,
  tabs(...paths: string[]): void {
    tabs = paths.map(Uri.file);
  },
  set(settings: Record<string, unknown>): void {
    settingValues = { ...settingValues, ...settings };
    events.settings.fire({ affectsConfiguration: () => true });
  },
  settingsReads: () => settingsReads,
  /** What Dhi asked for again by itself. */
  refreshes: () => Promise.all(refreshes),

  /** @param source with `█` for the cursor */
  open(path: string, source: string, { languageId = "python", uri = Uri.file(path) } = {}): TextDocument {
    const [before = "", after = ""] = source.split("█");
    const document = new TextDocument(uri, before + after, languageId);
    documents = [...documents, document];
    events.opened.fire(document);
    this.show(document, document.positionAt(before.length));
    return document;
  },
  /** A notebook, with the cursor in its last cell. */
  openNotebook(path: string, cells: readonly { readonly code: string; readonly languageId: string }[]): void {
    const all = cells.map(({ code, languageId }, index) => {
      const uri = new Uri("vscode-notebook-cell", path, `c${index}`);
      return new TextDocument(uri, code.replace("█", ""), languageId);
    });
    notebooks = [...notebooks, { uri: Uri.file(path), cells: all }];
    documents = [...documents, ...all];
    const [last, code] = [all.at(-1), cells.at(-1)?.code];
    if (last && code) this.show(last, last.positionAt(code.indexOf("█")));
  },
  show(document: TextDocument, at: Position): void {
    active = { document, selection: { active: at, isEmpty: true }, selections: [at] };
    events.shown.fire(active);
  },
  leave(): void {
    active = undefined;
    events.shown.fire(undefined);
  },
  focus: () => events.focus.fire({ focused: true }),
  /** The user opens another folder, or closes one. */
  openFolders(...paths: string[]): void {
    folders = paths;
    events.folders.fire();
  },
  /** At the cursor, as one key or one command does. */
  type(text: string): void {
    const at = current().selection.active;
    this.replace(at, at, text);
  },
  backspace(): void {
    const at = current().selection.active;
    this.replace(at.translate(0, -1), at, "");
  },
  accept({ range, insertText }: InlineCompletionItem): void {
    this.replace(range.start, range.end, insertText);
  },
  replace(start: Position, end: Position, text: string): void {
    const { document } = current();
    const change = document.replace(start, end, text);
    events.changed.fire({ document, contentChanges: [change] });
    this.move(document.positionAt(change.rangeOffset + change.text.length));
  },
  move(to: Position): void {
    const textEditor = current();
    textEditor.selection = { active: to, isEmpty: true };
    textEditor.selections = [to];
    events.selection.fire({ textEditor });
  },
  /** The cursor of a second editor that has the same document. */
  moveBeside(to: Position): void {
    const { document } = current();
    const selection = { active: to, isEmpty: true };
    events.selection.fire({ textEditor: { document, selection, selections: [to] } });
  },
  select(...selections: { readonly active: Position; readonly isEmpty: boolean }[]): void {
    const textEditor = current();
    textEditor.selection = selections[0] ?? textEditor.selection;
    textEditor.selections = selections;
  },
  save(): void {
    const { document } = current();
    document.isDirty = false;
    // VS Code tells that a document is clean as a change of nothing.
    events.changed.fire({ document, contentChanges: [] });
    events.saved.fire(document);
  },
  close(document = current().document): void {
    documents = documents.filter((one) => one !== document);
    events.closed.fire(document);
    events.tabs.fire({ closed: [{ input: new TabInputText(document.uri) }] });
  },
  /** As VS Code asks for ghost text after a key: what it asked before is cancelled. */
  async suggest(context: object = {}): Promise<InlineCompletionItem[] | undefined> {
    asking.cancel();
    asking = new CancellationTokenSource();
    const { document, selection } = current();
    const isByHand = "triggerKind" in context && context.triggerKind === InlineCompletionTriggerKind.Invoke;
    invoked = isByHand ? { document, version: document.version, at: selection.active } : undefined;
    if (!provider?.selector.some(({ scheme }) => scheme === document.uri.scheme)) return undefined;
    return provider.is.provideInlineCompletionItems(
      document,
      selection.active,
      { triggerKind: InlineCompletionTriggerKind.Automatic, ...context },
      asking.token,
    );
  },
  /** @returns what is shown after these keys */
  async keys(text: string): Promise<string | undefined> {
    this.type(text);
    return this.text();
  },
  async text(context: object = {}): Promise<string | undefined> {
    return (await this.suggest(context))?.[0]?.insertText;
  },
};

function current(): TextEditor {
  if (!active) throw new Error("no editor is open");
  return active;
}
