/** What the index holds of the workspace, how fresh it is, and what can be found in it. */
import type { TypeScriptStatus } from "@dhi/core/protocol";
import { useSignal, useSignalEffect } from "@preact/signals";
import { Facts } from "../parts/facts.tsx";
import { Figures } from "../parts/figures.tsx";
import { ask, wordsOf } from "../server/ask.ts";
import { indexer, status, workspace } from "../server/server-state.ts";
import { ago, count, duration } from "../words/format.ts";
import { ByLanguage, ChangedLast, followContents } from "./contents.tsx";
import { LeftOut } from "./left-out.tsx";
import { Search } from "./search.tsx";
import { SymbolGraph } from "./symbol-graph.tsx";

export function IndexView() {
  useSignalEffect(followContents);
  return (
    <div class="view">
      <h1>Index{workspace.value ? ` of ${workspace.value}` : ""}</h1>
      <div class="cards two">
        <div class="stack">
          <State />
          <ByLanguage />
        </div>
        <div class="stack">
          <LeftOut />
          <ChangedLast />
        </div>
      </div>
      <SymbolGraph />
      <Search />
    </div>
  );
}

function State() {
  const now = indexer.value;
  if (!now)
    return (
      <section class="card">
        <h2>State</h2>
        <p class="hint">{status.value ? "The indexer does not answer." : "Asking…"}</p>
      </section>
    );
  const {
    state,
    error,
    files,
    chunks,
    symbols,
    vectors,
    embedder,
    pendingEmbeddings,
    lastChangeAt,
    typescript,
  } = now;
  return (
    <section class="card">
      <h2>State</h2>
      {error ? <p class="bad">{error}</p> : null}
      <Figures
        figures={[
          ["files", count(files)],
          ["chunks", count(chunks)],
          ["symbols", count(symbols)],
          ["vectors", count(vectors.stored)],
        ]}
      />
      <Progress />
      <Facts
        facts={[
          ["indexer", state],
          ["last change", lastChangeAt ? ago(lastChangeAt) : "none yet"],
          ["embedder", `${embedder.id}, ${embedder.status}: ${embedder.detail}`],
          ["texts to embed", count(pendingEmbeddings)],
          ["vectors", `${vectors.status}: ${vectors.detail}`],
          ...(typescript ? [["TypeScript", typescriptWords(typescript)] as const] : []),
        ]}
      />
    </section>
  );
}

const typescriptWords = ({ state, files, filesTotal, detail }: TypeScriptStatus): string =>
  [
    state,
    ...(filesTotal ? [`${count(files)} of ${count(filesTotal)} files looked at`] : []),
    ...(detail ? [detail] : []),
  ].join("; ");

/** Of the newest full sync, and a button for another. */
function Progress() {
  const problem = useSignal<string | undefined>(undefined);
  const now = indexer.value;
  const job = now?.job;
  const isRunning = job?.state === "running" || (now?.etaMs ?? 0) > 0;
  const done = job ? job.files + job.embedded : 0;
  const whole = job ? job.filesTotal + job.chunksTotal : 0;

  async function sync(): Promise<void> {
    try {
      await ask("/index-dir", { method: "POST", body: { workspace: workspace.peek(), dir_path: "." } });
      problem.value = undefined;
    } catch (error) {
      problem.value = wordsOf(error);
    }
  }
  return (
    <div class="progress">
      {job ? (
        <>
          <progress aria-label="Index" max={Math.max(1, whole)} value={done} />
          <p>
            {job.state === "failed" ? `The last full run failed: ${job.error ?? ""}` : null}
            {job.state !== "failed"
              ? `${count(job.files)} of ${count(job.filesTotal)} files looked at, ${count(job.embedded)} of ${count(job.chunksTotal)} vectors stored`
              : null}
            {isRunning ? `; ${etaWords(now?.etaMs)}` : null}
          </p>
        </>
      ) : null}
      <button type="button" disabled={isRunning} onClick={() => void sync()}>
        Look at every file again
      </button>
      {problem.value ? <p class="bad">{problem.value}</p> : null}
    </div>
  );
}

const etaWords = (etaMs: number | null | undefined): string =>
  etaMs ? `about ${duration(etaMs)} to go` : "too early to say how long it takes";
