/** What the server is writing or has written lately for one editor, found again by the text around the cursor. */
import type { FimDone, FimPiece, FimRequestInput } from "@dhi/core/protocol";
import { type Place, type Rest, restOfAnswer, type Verdict } from "./rest-of-answer.ts";
import { UNWANTED } from "./unwanted.ts";

/** One request and its answer, as far as that has come. */
export interface Call extends Place {
  readonly request: FimRequestInput;
  readonly text: string;
  /**
   * What may be drawn until there is text; empty for nothing. Who sees it and types on, or accepts some of it, is not to see
   * another text: it ends once text is shown in its place, or begins with it.
   */
  readonly preview: string;
  /** `ended`: before the answer was whole, because a newer request took over, it failed, or nobody wanted it any more. */
  readonly state: "live" | "done" | "ended";
  /** `undefined` while it is live, and when it ended. */
  readonly answer: FimDone | undefined;
  /** Called after each change of the text or the state. @returns stops that */
  onChange(listener: () => void): () => void;
  /** What the user is about to see of it. */
  shows(what: "preview" | "text"): void;
  /** Closes the stream, which stops the engine; after the answer, what that writes ahead. The answer stays. */
  abort(): void;
}

/** What became of a request that was neither given up nor overtaken by a newer one. */
export type CallEnd =
  | {
      readonly kind: "answered";
      readonly request: FimRequestInput;
      readonly answer: FimDone;
      readonly ms: number;
    }
  | { readonly kind: "failed"; readonly request: FimRequestInput; readonly error: unknown };

export interface CallOptions {
  /**
   * Streams the answer, calling `onPiece` with each piece: a preview or none, then whole lines, which are never taken back.
   * The signal closes the stream after its last event too, while the server holds it open.
   *
   * @returns `undefined` when the server ended the request for a newer one of the same session
   */
  readonly fetch: (
    request: FimRequestInput,
    onPiece: (piece: FimPiece) => void,
    signal: AbortSignal,
  ) => Promise<FimDone | undefined>;
  readonly onEnd: (end: CallEnd) => void;
  /** Called once, with the first text or an answer without: by then the server has dealt with all older requests. */
  readonly onHeard: (ms: number) => void;
}

/** Sends the request; what is heard of it later is in the call. */
export function startCall(place: Place, request: FimRequestInput, options: CallOptions): Call {
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  const startedAt = performance.now();
  let text = "";
  let preview = "";
  let isPreviewShown = false;
  let state: Call["state"] = "live";
  let answer: FimDone | undefined;
  let isHeard = false;

  function heard(change: () => void): void {
    if (!isHeard) options.onHeard(performance.now() - startedAt);
    isHeard = true;
    tell(() => {
      change();
      if (!isPreviewShown || text.startsWith(preview)) preview = "";
    });
  }

  function onPiece(piece: FimPiece): void {
    if ("text" in piece) heard(() => (text += piece.text));
    else tell(() => (preview = piece.preview));
  }

  function end(): void {
    tell(() => {
      state = "ended";
      preview = "";
    });
  }

  function tell(change: () => void): void {
    change();
    for (const listener of [...listeners]) listener();
  }

  async function run(): Promise<void> {
    const last = await options.fetch(request, onPiece, controller.signal).then(
      (done) => ({ done }),
      (error: unknown) => ({ error }),
    );
    if (controller.signal.aborted) return;
    if ("error" in last) {
      end();
      options.onEnd({ kind: "failed", request, error: last.error });
    } else if (!last.done) {
      end();
    } else {
      const { done } = last;
      heard(() => {
        // All that was streamed, put together.
        text = done.completion;
        // Without text it withdraws the preview.
        if (text === "") preview = "";
        answer = done;
        state = "done";
      });
      options.onEnd({
        kind: "answered",
        request,
        answer: done,
        ms: Math.round(performance.now() - startedAt),
      });
    }
  }

  void run();
  return {
    ...place,
    request,
    get text() {
      return text;
    },
    get preview() {
      return preview;
    },
    get state() {
      return state;
    },
    get answer() {
      return answer;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shows(what) {
      isPreviewShown = what === "preview";
      if (!isPreviewShown) preview = "";
    },
    abort() {
      controller.abort(UNWANTED);
      if (state === "live") end();
    },
  };
}

/** What a call says about a place. */
export type CallVerdict =
  /** To be shown now; while the call is live, more lines may follow. */
  | { readonly kind: "rest"; readonly rest: Rest; readonly isPreview?: boolean }
  /** The server had nothing to show at this very place. */
  | { readonly kind: "nothing" }
  /** It may still turn out to have the text, or not. */
  | { readonly kind: "open" }
  | { readonly kind: "other" };

export function verdictOf(call: Call, place: Place): CallVerdict {
  return ofPreview(call, place) ?? ofText(call, place);
}

/** @returns `undefined` where the text counts: it is there, and the user has not gone on with the preview */
function ofPreview(call: Call, place: Place): CallVerdict | undefined {
  const { preview, scope, prefix, suffix } = call;
  if (preview === "" || (call.text !== "" && prefix === place.prefix)) return undefined;
  const verdict = restOfAnswer({ scope, prefix, suffix, text: preview, isWhole: true }, place);
  if (verdict.kind !== "rest" || !verdict.rest.text.trim()) return undefined;
  return { ...verdict, isPreview: true };
}

function ofText(call: Call, place: Place): CallVerdict {
  const verdict = restOfText(call, place);
  if (verdict.kind !== "rest") return verdict;
  // White space alone draws nothing.
  if (verdict.rest.text.trim()) return verdict;
  if (call.state === "live") return { kind: "open" };
  return { kind: call.text === "" && call.state === "done" ? "nothing" : "other" };
}

function restOfText({ scope, prefix, suffix, text, state }: Call, place: Place): Verdict {
  return restOfAnswer({ scope, prefix, suffix, text, isWhole: state !== "live" }, place);
}

/**
 * @returns whether what the call writes, or wrote ahead, may be wanted at the place: where all of its text was taken, what
 *   comes after it is
 */
export const isOfUse = (call: Call, place: Place): boolean =>
  ofPreview(call, place) !== undefined || restOfText(call, place).kind !== "other";
