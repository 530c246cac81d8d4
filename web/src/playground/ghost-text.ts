/** Monaco's interface to ghost text. When to ask, and what of an answer still fits, is `@dhi/client`, as in every editor. */
import { createCompletionFlow } from "@dhi/client/completion-flow";
import { documentContext } from "@dhi/client/document-context";
import type { LineDocument } from "@dhi/client/line-document";
import { createPace } from "@dhi/client/pace";
import { createRecentEdits } from "@dhi/client/recent-edits";
import type { FimRequestInput } from "@dhi/core/protocol";
import { ServerProblem } from "../server/ask.ts";
import { streamCompletion } from "../server/stream-completion.ts";
import type { monaco } from "./monaco.ts";
import { engine, isReused, loading, mode, openFile, outcome } from "./playground-state.ts";

type Model = monaco.editor.ITextModel;

export interface GhostText {
  readonly provider: monaco.languages.InlineCompletionsProvider;
  /** What a request at this place says. */
  requestAt(model: Model, position: monaco.IPosition): FimRequestInput;
  changed(changes: readonly monaco.editor.IModelContentChange[]): void;
  /** Nobody looks at the editor any more. */
  abandon(): void;
}

/**
 * @param sessionId one per page
 * @param onGrown more of what shows has come: the provider is to be asked again
 */
export function createGhostText(sessionId: string, onGrown: () => void): GhostText {
  const pace = createPace();
  const edits = createRecentEdits();
  let requests = 0;
  /** How long the last request was held back. */
  let heldMs = 0;

  const flow = createCompletionFlow({
    fetch: streamCompletion,
    onGrown,
    onLoading(change) {
      loading.value += change;
    },
    onHeard: pace.heard,
    onEnd(end) {
      if (end.kind === "answered") {
        pace.serverWants(end.answer.debounceMs);
        outcome.value = { ...end, debounceMs: heldMs };
      } else if (end.error instanceof ServerProblem) {
        const { message, hint } = end.error;
        outcome.value = { kind: "failed", request: end.request, message, ...(hint && { hint }) };
      } else throw end.error;
    },
  });

  function requestAt(model: Model, position: monaco.IPosition): FimRequestInput {
    const file = openFile.value;
    if (!file) throw new Error("no file is open");
    const at = { line: position.lineNumber - 1, character: position.column - 1 };
    return {
      requestId: `${sessionId}-${++requests}`,
      sessionId,
      ...(file.workspace !== undefined && { workspace: file.workspace }),
      path: file.path,
      ...documentContext(linesOf(model, file.language), at),
      recentEdits: edits.list(performance.now()),
      ...(mode.value && { mode: mode.value }),
      ...(engine.value && { engine: engine.value }),
    };
  }

  return {
    requestAt,
    changed(changes) {
      const now = performance.now();
      pace.typed(now);
      const path = openFile.value?.path;
      if (path === undefined) return;
      for (const { range, text } of changes) {
        const lines = { startLine: range.startLineNumber - 1, endLine: range.endLineNumber - 1 };
        edits.changed({ path, ...lines, addedLines: text.split("\n").length - 1 }, now);
      }
    },
    abandon: () => flow.abandon(),
    provider: {
      async provideInlineCompletions(model, position, { triggerKind }, token) {
        if (!openFile.value) return { items: [] };
        const isManual = triggerKind === EXPLICIT;
        const request = requestAt(model, position);
        const { prefix, suffix = "" } = request;
        const isFreshLine = model.getLineContent(position.lineNumber).trim() === "";
        const waitMs = pace.waitMs({ settingMs: null, isManual, isFreshLine }, performance.now());
        const asked = {
          scope: JSON.stringify([request.workspace, request.path, request.mode, request.engine]),
          ...{ prefix, suffix, debounceMs: waitMs, isManual },
          request(): FimRequestInput {
            heldMs = waitMs;
            return { ...request, trigger: isManual ? "manual" : "automatic" };
          },
        };
        const found = await flow.complete(asked, signalOf(token));
        if (!found?.text) return { items: [] };
        isReused.value = found.request.prefix !== prefix;
        const { lineNumber, column } = position;
        const range = {
          ...{ startLineNumber: lineNumber, startColumn: column },
          ...{ endLineNumber: lineNumber, endColumn: column + found.replaces },
        };
        return { items: [{ insertText: found.text, range }] };
      },
      handleEndOfLifetime(_, __, { kind }) {
        if (kind === ACCEPTED) pace.accepted();
      },
      disposeInlineCompletions() {},
    },
  };
}

/** `InlineCompletionTriggerKind.Explicit` and `InlineCompletionEndOfLifeReasonKind.Accepted`: Monaco itself comes later. */
const EXPLICIT = 1;
const ACCEPTED = 0;

const linesOf = (model: Model, languageId: string): LineDocument => ({
  languageId,
  version: model.getVersionId(),
  lineCount: model.getLineCount(),
  lineAt: (line) => model.getLineContent(line + 1),
});

function signalOf(token: monaco.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
