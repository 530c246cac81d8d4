/** One cursor, two modes: what the repository's context changes. */
import { reasonWords } from "@dhi/client/reason-words";
import type { ContextMode, FimDone, FimRequestInput } from "@dhi/core/protocol";
import { signal } from "@preact/signals";
import { asChoices, Choice } from "../parts/choice.tsx";
import { wordsOf } from "../server/ask.ts";
import { streamCompletion } from "../server/stream-completion.ts";
import { duration, many } from "../words/format.ts";
import { editor, openFile } from "./playground-state.ts";

export const modes: readonly ContextMode[] = ["rag", "symbols", "simple", "raw"];

interface Side {
  readonly mode: ContextMode;
  readonly result:
    | { readonly kind: "asking" }
    | { readonly kind: "answered"; readonly answer: FimDone; readonly line: string; readonly ms: number }
    | { readonly kind: "failed"; readonly message: string };
}

const left = signal<ContextMode>("rag");
const right = signal<ContextMode>("raw");
const sides = signal<readonly Side[]>([]);

export function Compare() {
  const isAsking = sides.value.some(({ result }) => result.kind === "asking");
  const isAlike = sides.value.some(
    ({ result }) => result.kind === "answered" && result.answer.engine === "instant",
  );
  return (
    <div class="compare">
      <p class="lead">The same cursor, asked in two modes.</p>
      <div class="compare-bar">
        {[left, right].map((side, i) => (
          <Choice
            key={side === left ? "left" : "right"}
            label={i ? "against" : "Compare"}
            values={asChoices(modes)}
            chosen={side.value}
            onChoose={(mode) => {
              side.value = mode;
            }}
          />
        ))}
        <button
          type="button"
          class="primary"
          disabled={!openFile.value || isAsking}
          onClick={() => void compare()}
        >
          Ask both
        </button>
      </div>
      {openFile.value ? null : <p class="hint">Open a file first.</p>}
      <div class="sides" aria-live="polite">
        {sides.value.map((side) => (
          <SideView key={side.mode} {...side} />
        ))}
      </div>
      {isAlike ? (
        <p class="hint">The built-in engine reads no prompt: a mode changes nothing for it.</p>
      ) : null}
    </div>
  );
}

function SideView({ mode, result }: Side) {
  return (
    <article>
      <h3>{mode}</h3>
      {result.kind === "asking" ? <p class="hint">asking…</p> : null}
      {result.kind === "failed" ? <p class="bad">{result.message}</p> : null}
      {result.kind === "answered" ? (
        <>
          {result.answer.completion ? (
            <pre>
              <span class="before">{result.line}</span>
              <ins>{result.answer.completion}</ins>
            </pre>
          ) : (
            <p class="hint">Nothing shown: {reasonWords(result.answer.reason)}.</p>
          )}
          <p class="about">
            <span>{duration(result.ms)}</span>
            <span>{result.answer.engine}</span>
            {result.answer.usage.promptTokens === null ? null : (
              <span>{many(result.answer.usage.promptTokens, "prompt token")}</span>
            )}
            <span>{many(result.answer.sources.length, "source")}</span>
          </p>
        </>
      ) : null}
    </article>
  );
}

/** One after the other: side by side they would wait for the same engine, and neither time would mean anything. */
async function compare(): Promise<void> {
  const request = editor.value?.requestHere();
  if (!request) return;
  const both = [...new Set([left.value, right.value])];
  sides.value = both.map((mode) => ({ mode, result: { kind: "asking" } }));
  for (const mode of both) {
    const result = await askIn(mode, request);
    sides.value = sides.value.map((side) => (side.mode === mode ? { mode, result } : side));
  }
}

async function askIn(mode: ContextMode, request: FimRequestInput): Promise<Side["result"]> {
  const started = performance.now();
  // Of no session: neither ends the other, nor what the editor asked.
  const { sessionId: _, requestId: __, ...rest } = request;
  try {
    const answer = await streamCompletion(
      { ...rest, mode, trigger: "manual" },
      () => {},
      new AbortController().signal,
    );
    if (!answer) return { kind: "failed", message: "the answer broke off" };
    const line = request.prefix.slice(request.prefix.lastIndexOf("\n") + 1).trimStart();
    return { kind: "answered", answer, line, ms: performance.now() - started };
  } catch (error) {
    return { kind: "failed", message: wordsOf(error) };
  }
}
