/** What the index holds by language, and what changed in it last. */
import type { ContentsResponse } from "@dhi/core/files-protocol";
import { signal, useSignalEffect } from "@preact/signals";
import { ask, ServerProblem } from "../server/ask.ts";
import { indexer, workspace } from "../server/server-state.ts";
import { count, size } from "../words/format.ts";

const contents = signal<ContentsResponse | undefined>(undefined);

export function Contents() {
  useSignalEffect(() => {
    // Read again whenever the index has taken a change in.
    void indexer.value?.lastChangeAt;
    const controller = new AbortController();
    const query = { workspace: workspace.value };
    ask<ContentsResponse>("/v1/contents", { query, signal: controller.signal }).then(
      (answer) => {
        contents.value = answer;
      },
      (error: unknown) => {
        // The header says when the server is away.
        if (!controller.signal.aborted && !(error instanceof ServerProblem)) throw error;
      },
    );
    return () => controller.abort();
  });
  const { languages = [], lastChanged = [] } = contents.value ?? {};
  return (
    <>
      <section class="card">
        <h2>By language</h2>
        {languages.length ? <Languages languages={languages} /> : <p class="hint">Nothing is indexed yet.</p>}
      </section>
      <section class="card">
        <h2>Changed last</h2>
        {lastChanged.length ? (
          <ol class="changed">
            {lastChanged.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ol>
        ) : (
          <p class="hint">Nothing has changed since the index was made.</p>
        )}
      </section>
    </>
  );
}

function Languages({ languages }: Pick<ContentsResponse, "languages">) {
  const most = languages[0]?.files ?? 1;
  return (
    <table class="log numbers">
      <thead>
        <tr>
          {["language", "files", "size", "chunks", "symbols"].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {languages.map(({ language, files, bytes, chunks, symbols }) => (
          <tr key={language}>
            <th scope="row">
              {language}
              <span class="bar" aria-hidden="true" style={{ "--share": files / most }} />
            </th>
            <td>{count(files)}</td>
            <td>{size(bytes)}</td>
            <td>{count(chunks)}</td>
            <td>{count(symbols)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
