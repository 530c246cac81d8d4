/** The editor. Monaco comes after the page has shown, since it is most of what there is to load. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { unreachable } from "../server/server-state.ts";
import { isDark } from "../theme.ts";
import { createGhostText, type GivenAt } from "./ghost-text.ts";
import type { monaco as Monaco } from "./monaco.ts";
import { followOpenFile } from "./open-file.ts";
import { createOpenModels } from "./open-models.ts";
import { editor as current, cursor, engine, mode, openFile } from "./playground-state.ts";

const sessionId = `page-${crypto.randomUUID()}`;

export function Editor() {
  const place = useRef<HTMLDivElement>(null);
  const parts = useSignal<ReturnType<typeof create> | undefined>(undefined);
  const isMissing = useSignal(false);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    import("./monaco.ts").then(
      ({ monaco }) => {
        if (!place.current || signal.aborted) return;
        const created = create(monaco, place.current);
        parts.value = created;
        addEventListener("pagehide", created.leave, { signal });
        addEventListener("pageshow", created.models.comeBack, { signal });
        signal.addEventListener("abort", created.dispose);
      },
      // The server is away, or has another page by now than this one.
      () => {
        isMissing.value = true;
      },
    );
    return () => ended.abort();
  }, [parts, isMissing]);

  useSignalEffect(() => {
    parts.value?.setTheme(isDark.value);
  });
  useSignalEffect(() => {
    const file = openFile.value;
    if (file) parts.value?.show(file);
  });
  useSignalEffect(followOpenFile);
  useSignalEffect(() => {
    if (unreachable.value === undefined) parts.peek()?.models.resend();
  });
  useSignalEffect(() => {
    // Another mode or engine would say something else at this very place.
    void [mode.value, engine.value];
    if (openFile.peek()) parts.peek()?.again();
  });
  return (
    <div class="editor" ref={place}>
      {parts.value || isMissing.value ? null : <p class="hint">Loading the editor…</p>}
      {isMissing.value ? (
        <p class="bad" role="alert">
          The editor could not be loaded. Reload the page to try again.
        </p>
      ) : null}
    </div>
  );
}

function create(monaco: typeof Monaco, place: HTMLElement) {
  place.replaceChildren();
  const editor = monaco.editor.create(place, {
    ...OPTIONS,
    theme: themeOf(isDark.peek()),
    // Nothing else of the page moves by itself.
    cursorBlinking: matchMedia("(prefers-reduced-motion: reduce)").matches ? "solid" : "blink",
    fontFamily: getComputedStyle(place).getPropertyValue("--mono"),
  });
  const again = () => editor.trigger("dhi", "editor.action.inlineSuggest.trigger", {});
  const models = createOpenModels(monaco, sessionId);
  const ghostText = createGhostText({
    sessionId,
    onGrown(given) {
      if (isStillAt(editor, given)) again();
    },
    read: models.read,
  });

  // As VS Code has it.
  editor.addCommand(monaco.KeyMod.Alt | monaco.KeyCode.Backslash, again);
  // Monaco hides ghost text without telling anybody: what is still being written would bring it back.
  editor.addCommand(
    monaco.KeyCode.Escape,
    dismiss,
    "editorTextFocus && inlineSuggestionVisible && !suggestWidgetVisible && !findWidgetVisible",
  );
  const disposables = [
    monaco.languages.registerInlineCompletionsProvider("*", ghostText.provider),
    editor.onDidChangeCursorPosition(({ position, reason }) => {
      const offset = editor.getModel()?.getOffsetAt(position);
      ghostText.moved(offset, reason === monaco.editor.CursorChangeReason.Explicit);
      cursor.value = { line: position.lineNumber, column: position.column };
    }),
    editor.onDidChangeModelContent(({ isFlush, changes }) => {
      const file = openFile.peek();
      if (isFlush || !file) return;
      ghostText.changed(changes);
      models.changed(file);
    }),
  ];
  current.value = {
    requestHere() {
      const [model, position] = [editor.getModel(), editor.getPosition()];
      return model && position ? ghostText.requestAt(model, position) : undefined;
    },
    discard() {
      const file = openFile.peek();
      if (file) models.discard(file);
    },
  };
  function dismiss(): void {
    ghostText.dismissed();
    editor.trigger("dhi", "editor.action.inlineSuggest.hide", {});
  }

  return {
    again,
    models,
    setTheme: (dark: boolean) => monaco.editor.setTheme(themeOf(dark)),
    show(file: NonNullable<typeof openFile.value>) {
      ghostText.stop();
      editor.setModel(models.modelOf(file));
      editor.updateOptions({ ariaLabel: `${file.path}. Ctrl+M switches what Tab does.` });
      if (file.line !== undefined) {
        editor.setPosition({ lineNumber: file.line, column: 1 });
        editor.revealLineInCenter(file.line);
      }
      const { lineNumber, column } = editor.getPosition() ?? { lineNumber: 1, column: 1 };
      cursor.value = { line: lineNumber, column };
      if (!file.isReadAgain) editor.focus();
    },
    leave() {
      models.leave();
      ghostText.leave();
    },
    dispose() {
      ghostText.dispose();
      current.value = undefined;
      for (const disposable of disposables) disposable.dispose();
      models.dispose();
      editor.dispose();
    },
  };
}

const isStillAt = (editor: Monaco.editor.ICodeEditor, { model, version, position }: GivenAt): boolean =>
  editor.getModel() === model &&
  model.getVersionId() === version &&
  editor.getPosition()?.equals(position) === true;

const themeOf = (dark: boolean): string => (dark ? "dhi-dark" : "dhi-light");

const OPTIONS = {
  model: null,
  automaticLayout: true,
  fontSize: 13,
  lineHeight: 20,
  minimap: { enabled: false },
  // Nothing but Dhi suggests here.
  quickSuggestions: false,
  suggestOnTriggerCharacters: false,
  wordBasedSuggestions: "off",
  // There is one suggestion at a time: nothing to choose from in a toolbar.
  // It stays while somebody looks up beside the editor why it is this one.
  // Grey, in colours of its own that can be read; those of code would be made paler.
  inlineSuggest: {
    enabled: true,
    showToolbar: "never",
    keepOnBlur: true,
    syntaxHighlightingEnabled: false,
  },
  scrollBeyondLastLine: false,
  padding: { top: 12, bottom: 12 },
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  fixedOverflowWidgets: true,
  // It would frame the look-alikes in every text that is not English.
  unicodeHighlight: { ambiguousCharacters: false },
} satisfies Monaco.editor.IStandaloneEditorConstructionOptions;
