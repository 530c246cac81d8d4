/** What ghost text a cursor gets: enabled? → where? → secret? → reuse? → debounce → fetch. */
import type { FimDone, FimRequestInput } from "@dhi/core/protocol";
import {
  type DocumentContext,
  documentContext,
  type ReadableDocument,
  type Replacement,
} from "./document-context.ts";
import type { Located } from "./locate-file.ts";
import { remember, reuseLastCompletion, type ShownCompletion } from "./reuse-last-completion.ts";
import { isSecretFile } from "./secret-file.ts";
import { type Server, ServerRefused, ServerUnreachable } from "./server.ts";
import type { Settings } from "./settings.ts";
import { wait } from "./wait.ts";

export interface Cursor {
  readonly document: ReadableDocument;
  /** `undefined` when the file is in no workspace of the server. */
  readonly located: Located | undefined;
  readonly at: number | Replacement;
  readonly trigger: "automatic" | "manual";
}

/** What became of a request; `answer.completion` is empty when the server has a reason to show nothing. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly request: FimRequestInput;
      readonly answer: FimDone;
      readonly ms: number;
    }
  | {
      readonly kind: "failed";
      readonly request: FimRequestInput;
      readonly error: ServerRefused | ServerUnreachable;
    };

export interface CompletionDeps {
  readonly fetchCompletion: (
    server: Server,
    request: FimRequestInput,
    signal: AbortSignal,
  ) => Promise<FimDone | undefined>;
  /** One per editor window. */
  readonly sessionId: string;
  /** Called with 1 when a request leaves and with -1 when it has ended in any way. */
  readonly onLoading: (change: 1 | -1) => void;
  /** Called once per request that was neither cancelled nor overtaken by a newer one. */
  readonly onOutcome: (outcome: Outcome) => void;
  /** Called instead of a request: why there is none, or `undefined` when an earlier completion is shown on. */
  readonly onNoRequest: (silence: string | undefined) => void;
}

/** @returns the text to insert at the cursor; empty for nothing, and always when the signal has fired */
export type CompleteAtCursor = (cursor: Cursor, settings: Settings, signal: AbortSignal) => Promise<string>;

export function createCompleteAtCursor(deps: CompletionDeps): CompleteAtCursor {
  let shown: ShownCompletion[] = [];
  let requests = 0;

  return async function completeAtCursor(cursor, settings, signal) {
    const { located } = cursor;
    if (!settings.enable || signal.aborted) return "";
    if (!located || isSecretFile(located.path)) {
      deps.onNoRequest(
        located ? "this file may hold secrets" : "the server does not serve this file's folder",
      );
      return "";
    }
    const context = documentContext(cursor.document, cursor.at);
    const here = {
      path: `${located.workspace ?? ""}:${located.path}`,
      prefix: context.prefix,
      suffix: context.suffix,
    };
    const reused = reuseLastCompletion(shown, here);
    if (reused) {
      deps.onNoRequest(undefined);
      return reused;
    }

    const requestId = `${deps.sessionId}-${++requests}`;
    const request = fimRequest({ requestId, sessionId: deps.sessionId, located, context, cursor, settings });
    const completion = await ask(request, settings, signal);
    if (completion) shown = remember(shown, { ...here, completion });
    return completion;
  };

  async function ask(request: FimRequestInput, settings: Settings, signal: AbortSignal): Promise<string> {
    try {
      if (request.trigger === "automatic") await wait(settings.debounceMs, signal);
      const started = performance.now();
      deps.onLoading(1);
      const server = { url: settings.serverUrl, token: settings.token };
      const answer = await deps.fetchCompletion(server, request, signal).finally(() => deps.onLoading(-1));
      // Answered and cancelled in one turn of the event loop: the editor has moved on.
      if (signal.aborted || !answer) return "";
      deps.onOutcome({ kind: "answered", request, answer, ms: Math.round(performance.now() - started) });
      return answer.completion;
    } catch (error) {
      if (signal.aborted) return "";
      if (!(error instanceof ServerUnreachable || error instanceof ServerRefused)) throw error;
      deps.onOutcome({ kind: "failed", request, error });
      return "";
    }
  }
}

interface RequestParts {
  readonly requestId: string;
  readonly sessionId: string;
  readonly located: Located;
  readonly context: DocumentContext;
  readonly cursor: Cursor;
  readonly settings: Settings;
}

const fimRequest = ({ located, context, cursor, settings, ...ids }: RequestParts): FimRequestInput => ({
  ...ids,
  ...located,
  ...context,
  trigger: cursor.trigger,
  maxTokens: settings.maxTokens,
});
