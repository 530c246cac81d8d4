/** The sources of the last answer: path and lines, who found them, and what they cost. */
import type { PromptResponse, Source } from "@dhi/core/protocol";
import { Code } from "../parts/code.tsx";
import { Numbers } from "../parts/numbers.tsx";
import { count, many } from "../words/format.ts";
import { NothingYet } from "./inspector.tsx";
import { open } from "./open-file.ts";
import { outcome } from "./playground-state.ts";
import { promptAnswer } from "./prompt-answer.ts";

export function ContextPanel() {
  const last = outcome.value;
  if (last?.kind !== "answered") return <NothingYet />;
  const { sources, engine, mode } = last.answer;
  const prompt = promptAnswer.value?.of === last ? promptAnswer.value.prompt : undefined;
  const tokens = sources.reduce((sum, source) => sum + source.tokens, 0);
  return (
    <>
      <p class="lead">
        {sources.length
          ? `${many(sources.length, "place")} in the repository${tokens ? `, ${count(tokens)} tokens` : ""}.`
          : whyNone(mode)}
        {engine === "instant" && sources.length
          ? " The built-in engine reads no prompt: this is where the names in its text are defined."
          : null}
      </p>
      <ol class="sources">
        {sources.map((source) => (
          <SourceItem
            key={`${source.path}:${source.startLine}`}
            source={source}
            text={textOf(source, prompt)}
            workspace={last.request.workspace}
          />
        ))}
      </ol>
      {prompt ? <Legs prompt={prompt} /> : null}
    </>
  );
}

const whyNone = (mode: string): string =>
  mode === "rag" || mode === "symbols"
    ? "Nothing of the repository went into this answer."
    : `Nothing of the repository: the mode ${mode} adds none.`;

const SCORE = "Fused from the ranks that its legs gave it; comparable within one answer only";

interface SourceProps {
  readonly source: Source;
  /** `undefined` while it has not come, and for what no prompt shows. */
  readonly text: string | undefined;
  readonly workspace: string | undefined;
}

function SourceItem({ source, text, workspace }: SourceProps) {
  const { path, startLine, endLine, legs, score, tokens } = source;
  const lines = startLine === endLine ? startLine : `${startLine}–${endLine}`;
  return (
    <li>
      <button
        type="button"
        class="path"
        title={`Open ${path}`}
        onClick={() => void open(workspace, path, startLine)}
      >
        {path}
        <span class="lines">:{lines}</span>
      </button>
      <p class="about">
        {legs.map((leg) => (
          <span key={leg} class="leg">
            {leg}
          </span>
        ))}
        {score > 0 ? <span title={SCORE}>score {score.toPrecision(2)}</span> : null}
        {tokens > 0 ? <span>{many(tokens, "token")}</span> : null}
      </p>
      {text ? (
        <details>
          <summary>as the prompt shows it</summary>
          <Code text={text} label={`${path}, in the prompt`} />
        </details>
      ) : null}
    </li>
  );
}

const textOf = ({ path }: Source, prompt: PromptResponse | undefined): string | undefined =>
  prompt?.sources.find((source) => source.path === path)?.text;

/** What every leg found before fusion and packing: most of it never gets into a prompt. */
function Legs({ prompt: { candidates, late, timings } }: { readonly prompt: PromptResponse }) {
  const rows = timings.legs.map(({ leg, ms }) => ({
    name: leg,
    cells: [
      count(candidates.filter((candidate) => candidate.leg === leg).length),
      late.includes(leg) ? "too late" : `${ms.toFixed(1)} ms`,
    ],
  }));
  return (
    <Numbers
      caption="What each search found, before the best was chosen"
      heads={["leg", "found", "took"]}
      rows={rows}
    />
  );
}
