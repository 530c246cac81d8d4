/** The editor. Monaco comes after the page has shown, since it is most of what there is to load. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../theme.ts";
import { createGhostText } from "./ghost-text.ts";
import { monacoLanguage } from "./language-id.ts";
import type { monaco as Monaco } from "./monaco.ts";
import { cursor, engine, here, mode, type OpenFile, openFile } from "./playground-state.ts";
import { createUnsavedBuffers } from "./unsaved-buffers.ts";

const sessionId = `page-${crypto.randomUUID()}`;

interface Parts {
  readonly monaco: typeof Monaco;
  readonly editor: Monaco.editor.IStandaloneCodeEditor;
}

export function Editor() {
  const place = useRef<HTMLDivElement>(null);
  const parts = useSignal<Parts | undefined>(undefined);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    let dispose = () => {};
    void import("./monaco.ts").then(({ monaco }) => {
      if (!place.current || signal.aborted) return;
      const created = create(monaco, place.current);
      dispose = created.dispose;
      parts.value = { monaco, editor: created.editor };
    });
    return () => {
      ended.abort();
      dispose();
    };
  }, [parts]);

  useSignalEffect(() => {
    parts.value?.monaco.editor.setTheme(isDark.value ? "dhi-dark" : "dhi-light");
  });
  useSignalEffect(() => {
    const file = openFile.value;
    if (parts.value && file) show(parts.value, file);
  });
  useSignalEffect(() => {
    // Another mode or engine would say something else at this very place.
    void [mode.value, engine.value];
    parts.peek()?.editor.trigger("dhi", "editor.action.inlineSuggest.trigger", {});
  });
  return (
    <div class="editor" ref={place}>
      {parts.value ? null : <p class="hint">Loading the editor…</p>}
    </div>
  );
}

function create(monaco: typeof Monaco, place: HTMLElement) {
  place.replaceChildren();
  const editor = monaco.editor.create(place, {
    model: null,
    theme: isDark.peek() ? "dhi-dark" : "dhi-light",
    automaticLayout: true,
    fontFamily: getComputedStyle(place).getPropertyValue("--mono"),
    fontSize: 13,
    lineHeight: 20,
    minimap: { enabled: false },
    // Nothing but Dhi suggests here.
    quickSuggestions: false,
    suggestOnTriggerCharacters: false,
    wordBasedSuggestions: "off",
    inlineSuggest: { enabled: true, showToolbar: "onHover" },
    scrollBeyondLastLine: false,
    padding: { top: 12, bottom: 12 },
    renderLineHighlight: "line",
    overviewRulerLanes: 0,
    hideCursorInOverviewRuler: true,
    guides: { indentation: true },
    fixedOverflowWidgets: true,
    unicodeHighlight: { ambiguousCharacters: false },
  });
  const again = () => editor.trigger("dhi", "editor.action.inlineSuggest.trigger", {});
  // As VS Code has it.
  editor.addCommand(monaco.KeyMod.Alt | monaco.KeyCode.Backslash, again);
  const ghostText = createGhostText(sessionId, again);
  const buffers = createUnsavedBuffers(sessionId);
  const file = () => openFile.peek();
  const bufferOf = ({ workspace, path, language }: OpenFile) => ({ workspace, path, languageId: language });
  let shown: OpenFile | undefined;

  const disposables = [
    monaco.languages.registerInlineCompletionsProvider("*", ghostText.provider),
    editor.onDidChangeCursorPosition(({ position }) => {
      cursor.value = { line: position.lineNumber, column: position.column };
    }),
    editor.onDidBlurEditorText(ghostText.abandon),
    editor.onDidChangeModelContent(({ isFlush, changes }) => {
      const open = file();
      const model = editor.getModel();
      if (isFlush || !open || !model) return;
      ghostText.changed(changes);
      buffers.changed(bufferOf(open), model.getVersionId(), () =>
        model.getValue(monaco.editor.EndOfLinePreference.LF),
      );
    }),
    editor.onDidChangeModel(() => {
      if (shown) buffers.close(bufferOf(shown));
      shown = file();
    }),
  ];
  here.value = () => {
    const model = editor.getModel();
    const position = editor.getPosition();
    if (!model || !position) throw new Error("no file is open");
    return ghostText.requestAt(model, position);
  };
  const close = () => shown && buffers.close(bufferOf(shown));
  addEventListener("pagehide", close);
  return {
    editor,
    dispose() {
      close();
      removeEventListener("pagehide", close);
      here.value = undefined;
      for (const disposable of disposables) disposable.dispose();
      editor.getModel()?.dispose();
      editor.dispose();
    },
  };
}

function show({ monaco, editor }: Parts, file: OpenFile): void {
  const old = editor.getModel();
  const uri = monaco.Uri.from({ scheme: "dhi", authority: file.workspace ?? "", path: `/${file.path}` });
  if (old?.uri.toString() === uri.toString()) {
    editor.focus();
    return;
  }
  const model =
    monaco.editor.getModel(uri) ?? monaco.editor.createModel(file.text, monacoLanguage(file.language), uri);
  editor.setModel(model);
  old?.dispose();
  editor.updateOptions({ ariaLabel: `${file.path}. Ctrl+M switches what Tab does.` });
  editor.focus();
}
