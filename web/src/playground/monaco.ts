/** The parts of Monaco that the page needs, and nothing that would bring a language service with it. */
import "monaco-editor/features/anchorSelect/register";
import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/caretOperations/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeEditor/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/cursorUndo/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/gotoLine/register";
import "monaco-editor/features/indentation/register";
import "monaco-editor/features/inlineCompletions/register";
import "monaco-editor/features/lineSelection/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/longLinesHelper/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/smartSelect/register";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/tokenization/register";
import "monaco-editor/features/wordOperations/register";
import "monaco-editor/features/wordPartOperations/register";
import "monaco-editor/languages/definitions/cpp/register";
import "monaco-editor/languages/definitions/csharp/register";
import "monaco-editor/languages/definitions/css/register";
import "monaco-editor/languages/definitions/dockerfile/register";
import "monaco-editor/languages/definitions/go/register";
import "monaco-editor/languages/definitions/html/register";
import "monaco-editor/languages/definitions/ini/register";
import "monaco-editor/languages/definitions/java/register";
import "monaco-editor/languages/definitions/javascript/register";
import "monaco-editor/languages/definitions/kotlin/register";
import "monaco-editor/languages/definitions/lua/register";
import "monaco-editor/languages/definitions/markdown/register";
import "monaco-editor/languages/definitions/php/register";
import "monaco-editor/languages/definitions/python/register";
import "monaco-editor/languages/definitions/ruby/register";
import "monaco-editor/languages/definitions/rust/register";
import "monaco-editor/languages/definitions/scss/register";
import "monaco-editor/languages/definitions/shell/register";
import "monaco-editor/languages/definitions/sql/register";
import "monaco-editor/languages/definitions/swift/register";
import "monaco-editor/languages/definitions/typescript/register";
import "monaco-editor/languages/definitions/xml/register";
import "monaco-editor/languages/definitions/yaml/register";
import * as monaco from "monaco-editor/editor/editor.api";
import EditorWorker from "monaco-editor/editor/editor.worker?worker";

import { registerJson } from "./json-language.ts";

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

// Ghost text that is gone again within 50 ms leaves a promise behind that nobody catches: cancelled work is no error.
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Error && event.reason.name === "Canceled") event.preventDefault();
});

registerJson(monaco);
defineTheme("dhi-light", "vs", {
  "editor.background": "#ffffff",
  "editor.lineHighlightBackground": "#f6f6f2",
  "editor.lineHighlightBorder": "#00000000",
  "editorLineNumber.foreground": "#6b7276",
  "editorLineNumber.dimmedForeground": "#6b7276",
  "editorLineNumber.activeForeground": "#33383c",
  "editorGhostText.foreground": "#646f6c",
  "editorGutter.background": "#ffffff",
});
defineTheme("dhi-dark", "vs-dark", {
  "editor.background": "#1a1d1f",
  "editor.lineHighlightBackground": "#212528",
  "editor.lineHighlightBorder": "#00000000",
  "editorLineNumber.foreground": "#858d92",
  "editorLineNumber.dimmedForeground": "#858d92",
  "editorLineNumber.activeForeground": "#c4c9cc",
  "editorGhostText.foreground": "#8b9794",
  "editorGutter.background": "#1a1d1f",
});

function defineTheme(name: string, base: "vs" | "vs-dark", colors: Readonly<Record<string, string>>): void {
  monaco.editor.defineTheme(name, { base, inherit: true, rules: [], colors: { ...colors } });
}

export { monaco };
