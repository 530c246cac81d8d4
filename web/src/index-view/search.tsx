/** Search over the index, as any client may: who found it, and how well it fits. */
import type { SearchRequest, SearchResponse } from "@dhi/core/protocol";
import { signal } from "@preact/signals";
import { asChoices, Choice } from "../parts/choice.tsx";
import { Code } from "../parts/code.tsx";
import { open } from "../playground/open-file.ts";
import { ask, wordsOf } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { workspace } from "../server/server-state.ts";
import { many } from "../words/format.ts";

type Result = SearchResponse["results"][number];
type Mode = SearchRequest["mode"];
const modes: readonly Mode[] = ["hybrid", "vector", "lexical", "symbols"];

interface Found {
  readonly workspace: string | undefined;
  readonly of: string;
  readonly results: readonly Result[];
}

const query = signal("");
const mode = signal<Mode>("hybrid");
const found = signal<Found | undefined>(undefined);
const problem = signal<string | undefined>(undefined);
const next = oneAtATime();

async function search(event: Event): Promise<void> {
  event.preventDefault();
  const asked = query.peek().trim();
  if (!asked) return;
  const signal = next();
  const name = workspace.peek();
  try {
    const body = { workspace: name, query: asked, n_results: 12, mode: mode.peek() };
    const { results } = await ask<SearchResponse>("/search", { method: "POST", body, signal });
    found.value = { workspace: name, of: asked, results };
    problem.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    problem.value = wordsOf(error);
  }
}

export function Search() {
  // Of another workspace they would open what they are not.
  const shown = found.value?.workspace === workspace.value ? found.value : undefined;
  return (
    <section class="card search">
      <h2>Search</h2>
      <form class="line" onSubmit={(event) => void search(event)}>
        <label>
          <span>In words, or in names</span>
          <input
            type="search"
            placeholder="what the code does, or a name in it"
            value={query.value}
            onInput={({ currentTarget }) => {
              query.value = currentTarget.value;
            }}
          />
        </label>
        <Choice
          label="by"
          values={asChoices(modes)}
          chosen={mode.value}
          onChoose={(value) => {
            mode.value = value;
          }}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <div aria-live="polite">
        {problem.value ? <p class="bad">{problem.value}</p> : null}
        {shown ? (
          <p class="hint">
            {shown.results.length
              ? `${many(shown.results.length, "result")} for “${shown.of}”, the best first`
              : `Nothing is found for “${shown.of}”.`}
          </p>
        ) : null}
      </div>
      <ol class="results">
        {shown?.results.map((result) => (
          <ResultItem key={`${result.file_path}:${result.start_line}`} result={result} />
        ))}
      </ol>
    </section>
  );
}

function ResultItem({ result }: { readonly result: Result }) {
  const { file_path, start_line, end_line, node_type, name, score, legs, document } = result;
  function show(): void {
    void open(workspace.peek(), file_path, start_line);
    location.hash = "#/playground";
  }
  return (
    <li>
      <button type="button" class="path" title={`Open ${file_path} in the playground`} onClick={show}>
        {file_path}
        <span class="lines">
          :{start_line}–{end_line}
        </span>
      </button>
      <p class="about">
        <span>{name ? `${node_type} ${name}` : node_type}</span>
        {legs.map((leg) => (
          <span key={leg} class="leg">
            {leg}
          </span>
        ))}
        <span>score {score.toPrecision(2)}</span>
      </p>
      <Code text={document} label={`${file_path}, line ${start_line}`} />
    </li>
  );
}
