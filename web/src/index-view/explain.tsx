/** Why a path is in the index, or not. */
import type { ExplainResponse } from "@dhi/core/protocol";
import { useSignal } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";
import { workspace } from "../server/server-state.ts";
import { many } from "../words/format.ts";

export function Explain() {
  const path = useSignal("");
  const answer = useSignal<ExplainResponse | string | undefined>(undefined);

  async function explain(event: Event): Promise<void> {
    event.preventDefault();
    try {
      answer.value = await ask<ExplainResponse>("/v1/explain", {
        query: { workspace: workspace.peek(), path: path.peek() || "." },
      });
    } catch (error) {
      answer.value = wordsOf(error);
    }
  }
  return (
    <form class="line" onSubmit={(event) => void explain(event)}>
      <label>
        <span>Why is a path in, or out?</span>
        <input
          type="text"
          placeholder="path/to/file"
          spellcheck={false}
          value={path.value}
          onInput={({ currentTarget }) => {
            path.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit">Explain</button>
      <div aria-live="polite" class="answer">
        {typeof answer.value === "string" ? <p class="bad">{answer.value}</p> : null}
        {typeof answer.value === "object" ? <Explained {...answer.value} /> : null}
      </div>
    </form>
  );
}

function Explained({ path, indexed, skipped, chunks, detail, hint }: ExplainResponse) {
  return (
    <>
      <p>
        <b>{indexed ? "In" : "Out"}</b> <code>{path}</code>
        {chunks === undefined ? null : ` · ${many(chunks, "chunk")}`}
        {skipped ? ` · ${skipped}` : null}
      </p>
      <p>{detail}</p>
      {hint ? <p class="hint">{hint}</p> : null}
    </>
  );
}
