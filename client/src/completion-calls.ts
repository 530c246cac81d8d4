/** What the server is writing or has written lately for one editor, found again by the text around the cursor. */
import type { FimDone, FimRequestInput } from "@dhi/core/protocol";
import { type Place, type Rest, restOfAnswer } from "./rest-of-answer.ts";

/** One request and its answer, as far as that has come. */
export interface Call extends Place {
  readonly request: FimRequestInput;
  readonly text: string;
  /** `ended`: before the answer was whole, because a newer request took over, it failed, or nobody wanted it any more. */
  readonly state: "live" | "done" | "ended";
  /** `undefined` while it is live, and when it ended. */
  readonly answer: FimDone | undefined;
  /** Called after each change of the text or the state. @returns stops that */
  onChange(listener: () => void): () => void;
  /** Closes the stream, which stops the engine. Nothing happens when it is over. */
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
   * Streams the answer, calling `onText` with each piece: whole lines, which are never taken back.
   *
   * @returns `undefined` when the server ended the request for a newer one of the same session
   */
  readonly fetch: (
    request: FimRequestInput,
    onText: (piece: string) => void,
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
  let state: Call["state"] = "live";
  let answer: FimDone | undefined;
  let isHeard = false;

  function heard(change: () => void): void {
    if (!isHeard) options.onHeard(performance.now() - startedAt);
    isHeard = true;
    tell(change);
  }

  function tell(change: () => void): void {
    change();
    for (const listener of [...listeners]) listener();
  }

  async function run(): Promise<void> {
    const end = await options
      .fetch(request, (piece) => heard(() => (text += piece)), controller.signal)
      .then(
        (done) => ({ done }),
        (error: unknown) => ({ error }),
      );
    if (controller.signal.aborted) return;
    if ("error" in end) {
      tell(() => (state = "ended"));
      options.onEnd({ kind: "failed", request, error: end.error });
    } else if (!end.done) {
      tell(() => (state = "ended"));
    } else {
      const { done } = end;
      heard(() => {
        // All that was streamed, put together.
        text = done.completion;
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
    abort() {
      if (state !== "live") return;
      controller.abort();
      tell(() => (state = "ended"));
    },
  };
}

/** What a call says about a place. */
export type CallVerdict =
  /** To be shown now; while the call is live, more lines may follow. */
  | { readonly kind: "rest"; readonly rest: Rest }
  /** The server had nothing to show at this very place. */
  | { readonly kind: "nothing" }
  /** It may still turn out to have the text, or not. */
  | { readonly kind: "open" }
  | { readonly kind: "other" };

export function verdictOf(call: Call, place: Place): CallVerdict {
  const isWhole = call.state !== "live";
  const { scope, prefix, suffix, text } = call;
  const verdict = restOfAnswer({ scope, prefix, suffix, text, isWhole }, place);
  if (verdict.kind !== "rest") return verdict;
  // White space alone draws nothing.
  if (verdict.rest.text.trim()) return verdict;
  if (!isWhole) return { kind: "open" };
  return { kind: text === "" && call.state === "done" ? "nothing" : "other" };
}
