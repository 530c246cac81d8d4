/** What ghost text a cursor gets: may this be asked? → the code around it → known already? → debounce → fetch. */
import type { CallEnd } from "@dhi/client/completion-calls";
import { type Asked, createCompletionFlow, type Suggestion } from "@dhi/client/completion-flow";
import { documentContext, nearContext, type Replacement } from "@dhi/client/document-context";
import type { LineDocument, Position } from "@dhi/client/line-document";
import { createPace, type Pace } from "@dhi/client/pace";
import type { FimDone, FimPiece, FimRequestInput } from "@dhi/core/protocol";
import { fileRefusal, isSingleLine, type Pause, placeRefusal, refusalWords } from "./control/gate.ts";
import { addressOf, type Located } from "./locate-file.ts";
import { type Server, ServerRefused, ServerUnreachable } from "./server.ts";
import type { Settings } from "./settings.ts";

export interface Cursor {
  readonly document: LineDocument;
  /** `undefined` when the file is in no workspace of the server. */
  readonly located: Located | undefined;
  readonly at: Position | Replacement;
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
    onPiece: (piece: FimPiece) => void,
    signal: AbortSignal,
  ) => Promise<FimDone | undefined>;
  readonly server: () => Server;
  /** One per editor window. */
  readonly sessionId: string;
  readonly pause: () => Pause;
  /** What else the user looks at and edits, by paths of the workspace; read when a request leaves. */
  readonly hints: (located: Located) => Pick<FimRequestInput, "openFiles" | "recentEdits">;
  /** Called with 1 when a request leaves and with -1 when it has ended in any way. */
  readonly onLoading: (change: 1 | -1) => void;
  /** Called once per request that was neither cancelled nor overtaken by a newer one. */
  readonly onOutcome: (outcome: Outcome) => void;
  /** Called instead of a request: why there is none, or `undefined` when an earlier completion is shown on. */
  readonly onNoRequest: (silence: string | undefined) => void;
  /** What was returned last has more lines by now: to be asked for again at the same place. */
  readonly onGrown: (isWhole: boolean) => void;
}

export interface CompleteAtCursor {
  /** @returns `undefined` for nothing to show, and always once the signal has fired */
  complete(cursor: Cursor, settings: Settings, signal: AbortSignal): Promise<Suggestion | undefined>;
  /** Other texts for a cursor that has one, its own first. The server makes them differ. */
  alternatives(cursor: Cursor, settings: Settings, signal: AbortSignal): Promise<readonly Suggestion[]>;
  /** The cursor is elsewhere, or in no editor: what is still being written for it ends. */
  abandon(): void;
  /** Settings or a pause have changed: what was asked before them is not sent, read on, or shown. */
  stop(): void;
  readonly pace: Pick<Pace, "typed" | "accepted">;
}

export function createCompleteAtCursor(deps: CompletionDeps): CompleteAtCursor {
  const pace = createPace();
  let requests = 0;
  const flow = createCompletionFlow({
    fetch: (request, onPiece, signal) => deps.fetchCompletion(deps.server(), request, onPiece, signal),
    onLoading: deps.onLoading,
    onGrown: deps.onGrown,
    onHeard: pace.heard,
    onEnd(end) {
      if (end.kind === "answered") pace.serverWants(end.answer.debounceMs);
      deps.onOutcome(outcomeOf(end, deps.server()));
    },
  });

  return {
    pace,
    abandon: flow.abandon,
    stop: flow.stop,
    async complete(cursor, settings, signal) {
      const asked = signal.aborted ? undefined : askedAt(cursor, settings);
      if (!asked) return undefined;
      const suggestion = await flow.complete(asked, signal);
      if (suggestion?.isKnown) deps.onNoRequest(undefined);
      return suggestion;
    },
    async alternatives(cursor, settings, signal) {
      const asked = askedAt(cursor, settings);
      const others = () => ALTERNATIVES.flatMap((alternative) => asked?.requestWith({ alternative }) ?? []);
      return asked ? flow.alternatives(asked, others, signal) : [];
    },
  };

  /** @returns `undefined` when nothing may be asked here */
  function askedAt(cursor: Cursor, settings: Settings): AskedHere | undefined {
    const { located, document, trigger } = cursor;
    const pause = deps.pause();
    const fileRefused = fileRefusal(located, settings, pause);
    if (fileRefused?.kind === "off") return undefined;
    if (fileRefused || !located) {
      deps.onNoRequest(fileRefused && refusalWords(fileRefused));
      return undefined;
    }
    // At most keys nothing leaves: an answer is known, or the next key comes first.
    const context = once(() => documentContext(document, cursor.at));
    const place = { trigger, languageId: document.languageId, prefix: () => context().prefix };
    const placeRefused = placeRefusal(place, settings, pause);
    if (placeRefused) {
      if (placeRefused.kind !== "manual") deps.onNoRequest(refusalWords(placeRefused));
      return undefined;
    }

    const singleLine = isSingleLine(place, settings);
    const { maxLines, maxTokens, debounceMs: settingMs } = settings;
    const wanted = { maxTokens, ...(singleLine && { singleLine }), ...(maxLines > 0 && { maxLines }) };
    const near = nearContext(document, cursor.at);
    const { version } = document;
    const isManual = trigger === "manual";
    const paced = { settingMs, isManual, isFreshLine: isFreshLine(near) };
    const requestWith = (more: Partial<FimRequestInput>) => {
      if (document.version !== version) return undefined;
      const ids = { requestId: `${deps.sessionId}-${++requests}`, sessionId: deps.sessionId };
      return {
        ...ids,
        ...addressOf(located),
        ...context(),
        trigger,
        ...wanted,
        ...more,
        ...deps.hints(located),
      };
    };
    return {
      ...{ scope: JSON.stringify([located, document.languageId, wanted]), ...near, isManual },
      debounceMs: pace.waitMs(paced, performance.now()),
      ...{ request: () => requestWith(STREAMED), requestWith },
    };
  }
}

interface AskedHere extends Asked {
  /** As `request`, for another answer. */
  readonly requestWith: (more: Pick<FimRequestInput, "alternative">) => FimRequestInput | undefined;
}

/** As the protocol numbers them. */
const ALTERNATIVES = [1, 2];

/** What the stream of the usual answer may begin with, and go on with after its end. */
const STREAMED = { preview: true, ahead: true };

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Nothing stands in the cursor's line, and there is one above it: somebody has just begun it. */
const isFreshLine = ({ prefix, suffix }: Pick<Asked, "prefix" | "suffix">): boolean =>
  /\n[ \t]*$/.test(prefix.slice(-200)) && /^[ \t]*(?:\n|$)/.test(suffix.slice(0, 200));

function outcomeOf(end: CallEnd, server: Server): Outcome {
  if (end.kind === "answered") return end;
  const { request, error } = end;
  const isKnown = error instanceof ServerRefused || error instanceof ServerUnreachable;
  return { kind: "failed", request, error: isKnown ? error : new ServerUnreachable(server.url, error) };
}
