/** Why is a path in the index, or out? */
import type { ExplainResponse } from "@dhi/core/protocol";
import { workspace } from "../server/server-state.ts";
import { many } from "../words/format.ts";
import { skipWords } from "../words/skip-words.ts";
import { explain, explained, path } from "./explanation.ts";

/** Id of its field. */
export const ASK_WHY = "ask-why";

export function Explain() {
  // Of another workspace it would be about another file.
  const said = explained.value?.workspace === workspace.value ? explained.value?.said : undefined;
  return (
    <form
      class="line explain"
      onSubmit={(event) => {
        event.preventDefault();
        void explain(path.peek().trim());
      }}
    >
      <label>
        <span>Why is a path in, or out?</span>
        <input
          id={ASK_WHY}
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
        {typeof said === "string" ? <p class="bad">{said}</p> : null}
        {typeof said === "object" ? <Explanation {...said} /> : null}
      </div>
    </form>
  );
}

function Explanation({ path: of, indexed, skipped, chunks, detail, hint }: ExplainResponse) {
  return (
    <>
      <p>
        <b>{indexed ? "In" : "Out"}</b> <code>{of}</code>
        {chunks === undefined ? null : ` · ${many(chunks, "chunk")}`}
        {skipped ? ` · ${skipWords(skipped)}` : null}
      </p>
      <p>{detail}</p>
      {hint ? <p class="hint">{hint}</p> : null}
    </>
  );
}
