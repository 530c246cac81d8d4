/** What the index holds by language, and what changed in it last. */
import type { ContentsResponse } from "@dhi/core/files-protocol";
import { signal } from "@preact/signals";
import { Numbers } from "../parts/numbers.tsx";
import { ask, ServerProblem } from "../server/ask.ts";
import { lastChangeAt, workspace } from "../server/server-state.ts";
import { count, size } from "../words/format.ts";

const contents = signal<ContentsResponse | undefined>(undefined);

/** For 100,000 files the server takes some 150 ms, in which it completes nothing. */
const EVERY_MS = 10_000;

let last: { readonly workspace: string | undefined; readonly atMs: number } | undefined;

/** To be called in an effect: asks at first, and again some time after the index has taken a change in. @returns what ends it */
export function followContents(): (() => void) | undefined {
  void lastChangeAt.value;
  const name = workspace.value;
  if (name === undefined) return undefined;
  const controller = new AbortController();
  const waitMs = last && last.workspace === name ? last.atMs + EVERY_MS - performance.now() : 0;
  const timer = setTimeout(() => void refresh(name, controller.signal), Math.max(0, waitMs));
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

async function refresh(name: string, signal: AbortSignal): Promise<void> {
  try {
    contents.value = await ask<ContentsResponse>("/v1/contents", { query: { workspace: name }, signal });
    last = { workspace: name, atMs: performance.now() };
  } catch (error) {
    // The header says when the server is away.
    if (!signal.aborted && !(error instanceof ServerProblem)) throw error;
  }
}

export function ByLanguage() {
  const languages = contents.value?.languages;
  return (
    <section class="card">
      <h2>By language</h2>
      {languages?.length ? (
        <Languages languages={languages} />
      ) : (
        <p class="hint">{languages ? "Nothing is indexed." : "Asking…"}</p>
      )}
    </section>
  );
}

export function ChangedLast() {
  const lastChanged = contents.value?.lastChanged;
  return (
    <section class="card">
      <h2>Changed last</h2>
      {lastChanged?.length ? (
        <ol class="changed">
          {lastChanged.slice(0, SHOWN).map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ol>
      ) : (
        <p class="hint">{lastChanged ? "Nothing has changed since the index was made." : "Asking…"}</p>
      )}
    </section>
  );
}

const SHOWN = 12;

function Languages({ languages }: Pick<ContentsResponse, "languages">) {
  const most = languages[0]?.files ?? 1;
  return (
    <Numbers
      heads={["language", "files", "size", "chunks", "symbols"]}
      rows={languages.map(({ language, files, bytes, chunks, symbols }) => ({
        name: language,
        cells: [count(files), size(bytes), count(chunks), count(symbols)],
        share: files / most,
      }))}
    />
  );
}
