/** Monaco's interface to ghost text. When to ask, and what of an answer still fits, is `@dhi/client`, as in every editor. */
import { abortSignal } from "@dhi/client/abort-signal";
import { createCompletionFlow, type Suggestion } from "@dhi/client/completion-flow";
import { documentContext } from "@dhi/client/document-context";
import type { LineDocument } from "@dhi/client/line-document";
import { createPace } from "@dhi/client/pace";
import { createRecentEdits, type RecentEdits } from "@dhi/client/recent-edits";
import type { FimRequestInput } from "@dhi/core/protocol";
import { ServerProblem } from "../server/ask.ts";
import { streamCompletion } from "../server/stream-completion.ts";
import { createGhostEvents } from "./ghost-events.ts";
import type { monaco } from "./monaco.ts";
import {
  engine,
  fileKey,
  isReused,
  loading,
  mode,
  type OpenFile,
  openFile,
  openProblem,
  outcome,
  shown,
} from "./playground-state.ts";

type Model = monaco.editor.ITextModel;

export interface GhostText {
  readonly provider: monaco.languages.InlineCompletionsProvider;
  /** What a request at this place says. */
  requestAt(model: Model, position: monaco.IPosition): FimRequestInput;
  changed(changes: readonly monaco.editor.IModelContentChange[]): void;
  /**
   * The cursor is there now, in UTF-16 units from the start; `undefined`: not in the editor.
   *
   * @param byHand and not with the text that was changed
   */
  moved(offset: number | undefined, byHand: boolean): void;
  /** The user does not want what shows: no more of it is written. */
  dismissed(): void;
  /** Another file is shown: nothing that was asked for the one before says anything any more. */
  stop(): void;
  /** The page is being left, perhaps to be shown again. */
  leave(): void;
  dispose(): void;
}

/** Where the editor was given ghost text. */
export interface GivenAt {
  readonly model: Model;
  readonly version: number;
  readonly position: monaco.Position;
}

export interface GhostTextDeps {
  /** One per page. */
  readonly sessionId: string;
  /** All of what was given there in part has come: the provider is to be asked again, if that still shows. */
  readonly onGrown: (given: GivenAt) => void;
  /** @returns what stands there in a file, by its key; `undefined` for one that is not open */
  readonly read: (key: string, start: number, end: number) => string | undefined;
}

export function createGhostText({ sessionId, onGrown, read }: GhostTextDeps): GhostText {
  const pace = createPace();
  /** By workspace. */
  const edits = new Map<string | undefined, RecentEdits>();
  let requests = 0;
  /** How long each was held back. */
  const heldMs = new WeakMap<FimRequestInput, number>();
  let given: GivenAt | undefined;
  const events = createGhostEvents(read);

  const flow = createCompletionFlow({
    fetch: streamCompletion,
    onGrown(isWhole) {
      if (isWhole && given) onGrown(given);
    },
    onLoading(change) {
      loading.value += change;
    },
    onHeard: pace.heard,
    onEnd(end) {
      openProblem.value = undefined;
      if (end.kind === "answered") {
        pace.serverWants(end.answer.debounceMs);
        outcome.value = { ...end, debounceMs: heldMs.get(end.request) ?? 0 };
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
      recentEdits: edits.get(file.workspace)?.list(performance.now()) ?? [],
      preview: true,
      ...(mode.value && { mode: mode.value }),
      ...(engine.value && { engine: engine.value }),
    };
  }

  return {
    requestAt,
    changed(changes) {
      const now = performance.now();
      const file = openFile.value;
      if (!file) return;
      const { workspace, path } = file;
      const here = edits.get(workspace) ?? createRecentEdits();
      edits.set(workspace, here);
      const kinds = changes.map(({ range, rangeOffset, rangeLength, text }) => {
        const lines = { startLine: range.startLineNumber - 1, endLine: range.endLineNumber - 1 };
        here.changed({ path, ...lines, addedLines: text.split("\n").length - 1 }, now);
        return events.changed(
          { document: fileKey(file), offset: rangeOffset, length: rangeLength, text },
          now,
        );
      });
      if (kinds.some((kind) => kind === "accepted" || kind === "partial")) pace.accepted();
      else pace.typed(now);
    },
    moved(offset, byHand) {
      if (byHand) flow.abandon();
      const file = openFile.value;
      const to = file && offset !== undefined ? { document: fileKey(file), offset } : undefined;
      events.moved(to, performance.now());
    },
    dismissed: flow.abandon,
    stop() {
      flow.stop();
      shown.value = undefined;
      events.moved(undefined, performance.now());
    },
    leave: events.leave,
    dispose: events.dispose,
    provider: {
      async provideInlineCompletions(model, position, { triggerKind }, token) {
        const file = openFile.value;
        if (!file) return { items: [] };
        const askedAt = performance.now();
        const isManual = triggerKind === EXPLICIT;
        const request = requestAt(model, position);
        const { prefix, suffix = "" } = request;
        const isFreshLine = model.getLineContent(position.lineNumber).trim() === "";
        const waitMs = pace.waitMs({ settingMs: null, isManual, isFreshLine }, performance.now());
        const asked = {
          scope: JSON.stringify([request.workspace, request.path, request.mode, request.engine]),
          ...{ prefix, suffix, debounceMs: waitMs, isManual },
          request(): FimRequestInput {
            const leaving = { ...request, trigger: isManual ? ("manual" as const) : ("automatic" as const) };
            heldMs.set(leaving, waitMs);
            return leaving;
          },
        };
        const found = await flow.complete(asked, abortSignal(token));
        shown.value = found?.text ? found.request : undefined;
        if (!found?.text) return { items: [] };
        given = { model, version: model.getVersionId(), position };
        isReused.value = found.request.prefix !== prefix;
        const { lineNumber, column } = position;
        const range = {
          ...{ startLineNumber: lineNumber, startColumn: column },
          ...{ endLineNumber: lineNumber, endColumn: column + found.replaces },
        };
        const now = performance.now();
        events.offer({ ...shownAs(found, file, given), latencyMs: now - askedAt }, now);
        return { items: [{ insertText: found.text, range }] };
      },
      disposeInlineCompletions() {},
    },
  };
}

/** `InlineCompletionTriggerKind.Explicit`: Monaco itself comes later. */
const EXPLICIT = 1;

function shownAs({ request, text }: Suggestion, file: OpenFile, { model, position }: GivenAt) {
  const at = model.getOffsetAt(position);
  return {
    ...{ requestId: request.requestId ?? "", languageId: file.language, document: fileKey(file) },
    ...{ start: at, cursor: at, selected: 0, others: [] },
    // As Monaco puts it in.
    text: text.replace(/\r?\n/g, model.getEOL()),
  };
}

const linesOf = (model: Model, languageId: string): LineDocument => ({
  languageId,
  version: model.getVersionId(),
  lineCount: model.getLineCount(),
  lineAt: (line) => model.getLineContent(line + 1),
});
