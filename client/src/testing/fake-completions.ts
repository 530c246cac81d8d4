/** A server that says what a test tells it to, when it tells it to. */
import type { FimDone, FimPreview, FimRequestInput } from "@dhi/core/protocol";
import type { CallOptions } from "../completion-calls.ts";

export interface FakeCompletion {
  readonly request: FimRequestInput;
  /** Whether the client has closed the stream. */
  readonly isAborted: () => boolean;
  preview(text: string, confidence?: FimPreview["confidence"]): void;
  say(text: string): void;
  finish(completion: string, reason?: string, changed?: Partial<FimDone>): void;
  /** As the server ends a request for a newer one. */
  supersede(): void;
  fail(error: Error): void;
}

export interface FakeCompletions {
  readonly fetch: CallOptions["fetch"];
  /** All so far, oldest first. */
  readonly requests: readonly FakeCompletion[];
}

export function fakeCompletions(): FakeCompletions {
  const requests: FakeCompletion[] = [];
  return {
    requests,
    fetch: (request, onPiece, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        requests.push({
          request,
          isAborted: () => signal.aborted,
          preview: (preview, confidence = 0.9) => onPiece({ preview, confidence }),
          say: (text) => onPiece({ text }),
          finish: (completion, reason = "ok", changed = {}) =>
            resolve({ ...done(completion, reason), ...changed }),
          supersede: () => resolve(undefined),
          fail: reject,
        });
      }),
  };
}

/** The last event of a completion that shows `completion`. */
export const done = (completion: string, reason = "ok"): FimDone => ({
  done: true,
  requestId: "r",
  completion,
  reason,
  engine: "instant",
  model: "n-gram",
  mode: "rag",
  format: "qwen",
  ...{ step: "full", debounceMs: null },
  reuse: "none",
  finish: "stop",
  meanLogprob: null,
  confidence: null,
  sources: [],
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
  timings: { queue: 0, retrieval: 0, prompt: 0, firstToken: null, engine: 0, postprocess: 0, total: 0 },
});
