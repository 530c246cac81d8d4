/** The prompt of the last request, its parts coloured and their tokens counted. */
import { count, many } from "../words/format.ts";
import { NothingYet } from "./inspector.tsx";
import { outcome } from "./playground-state.ts";
import { promptAnswer, promptProblem } from "./prompt-answer.ts";
import { type PromptPiece, promptPieces, tokensByKind } from "./prompt-pieces.ts";

export function PromptPanel() {
  if (outcome.value?.kind !== "answered") return <NothingYet />;
  if (promptProblem.value) return <p class="bad">{promptProblem.value}</p>;
  // That of the answer before, until the next one's has come.
  const answer = promptAnswer.value;
  if (!answer) return <p class="hint">Asking what the prompt was…</p>;
  const { prompt } = answer;
  const pieces = promptPieces(prompt);
  const kinds = tokensByKind(pieces);
  const whole = kinds.reduce((sum, { tokens }) => sum + tokens, 0);
  const readsNone = answer.of.kind === "answered" && answer.of.answer.engine === "instant";
  return (
    <>
      <p class="lead">
        {many(prompt.tokens, "token")} (estimated), in the format of {prompt.format}.
        {readsNone ? " The built-in engine reads none; this is what a model would be sent." : null}
      </p>
      <div class="token-bar" aria-hidden="true">
        {kinds.map(({ kind, tokens }) => (
          <span key={kind} class={`kind ${kind}`} style={{ flexGrow: tokens / Math.max(1, whole) }} />
        ))}
      </div>
      <ul class="legend">
        {kinds.map(({ kind, tokens }) => (
          <li key={kind}>
            <span class={`kind ${kind}`} aria-hidden="true" /> {kind} <b>{count(tokens)}</b>
          </li>
        ))}
      </ul>
      <Pieces pieces={pieces} />
      <pre class="prompt">
        {pieces.map(({ kind, path, tokens, text }, i) => (
          <span
            key={i}
            id={idOf(i)}
            class={`kind ${kind}${i % 2 ? " odd" : ""}`}
            title={[kind, path, many(tokens, "token")].filter(Boolean).join(", ")}
          >
            {text}
          </span>
        ))}
      </pre>
    </>
  );
}

/** Each leads to its place in the prompt. */
function Pieces({ pieces }: { readonly pieces: readonly PromptPiece[] }) {
  return (
    <details class="pieces">
      <summary>{many(pieces.length, "part")}, one by one</summary>
      <ol>
        {pieces.map(({ kind, path, tokens }, i) => (
          <li key={i}>
            <span class={`kind ${kind}`} aria-hidden="true" />
            <button
              type="button"
              class="path"
              onClick={() => document.getElementById(idOf(i))?.scrollIntoView({ block: "center" })}
            >
              {path ? `${kind} ${path}` : kind}
            </button>
            <b>{count(tokens)}</b>
          </li>
        ))}
      </ol>
    </details>
  );
}

const idOf = (piece: number): string => `prompt-piece-${piece}`;
