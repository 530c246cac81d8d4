/** The files that the index leaves out: by reason, and by what their path has in it. */
import type { SkippedResponse } from "@dhi/core/files-protocol";
import { useSignalEffect } from "@preact/signals";
import { Wide } from "../parts/wide.tsx";
import { count, many, size } from "../words/format.ts";
import { skipWords } from "../words/skip-words.ts";
import { ASK_WHY, Explain } from "./explain.tsx";
import { explain } from "./explanation.ts";
import { followSkipped, match, problem, reason, type Skipped, showMore, skipped } from "./skipped-files.ts";

export function LeftOut() {
  useSignalEffect(followSkipped);
  const now = skipped.value;
  const isEmpty = now && !now.of.reason && !now.of.match && now.files.length === 0;
  return (
    <section class="card left-out">
      <h2>Left out</h2>
      {problem.value ? (
        <p class="bad" role="alert">
          {problem.value}
        </p>
      ) : null}
      {!now && !problem.value ? <p class="hint">Asking…</p> : null}
      {isEmpty ? <p class="hint">No file is left out, but for those that git ignores.</p> : null}
      {now && !isEmpty ? (
        <>
          <Filters {...now} />
          <List {...now} />
        </>
      ) : null}
      <Explain />
    </section>
  );
}

function Filters({ reasons }: Pick<SkippedResponse, "reasons">) {
  const all = reasons.reduce((sum, { files }) => sum + files, 0);
  const chips = [
    { name: undefined, files: all },
    ...reasons.map(({ reason: name, files }) => ({ name, files })),
  ];
  // It stays, so that it can be taken back.
  if (reason.value && !chips.some(({ name }) => name === reason.value))
    chips.push({ name: reason.value, files: 0 });
  return (
    <>
      <input
        type="search"
        aria-label="Find a file that is left out"
        placeholder="Find one by its path"
        spellcheck={false}
        value={match.value}
        onInput={({ currentTarget }) => {
          match.value = currentTarget.value;
        }}
      />
      <fieldset class="chips">
        <legend class="visually-hidden">Reason</legend>
        {chips.map(({ name, files }) => (
          <button
            key={name ?? ""}
            type="button"
            aria-pressed={name === reason.value}
            onClick={() => {
              reason.value = name;
            }}
          >
            {name === undefined ? "all" : skipWords(name)} <b>{count(files)}</b>
          </button>
        ))}
      </fieldset>
    </>
  );
}

/** So many can be gone through with Tab. */
const A_FEW = 10;

/** Seen once it is come by with the keyboard. */
const SkipList = ({ files }: { readonly files: number }) => (
  <button type="button" class="skip-list" onClick={() => document.getElementById(ASK_WHY)?.focus()}>
    Skip {many(files, "file")}
  </button>
);

function List({ files, next, reasons, of }: Skipped) {
  const whole = reasons
    .filter(({ reason: name }) => of.reason === undefined || name === of.reason)
    .reduce((sum, one) => sum + one.files, 0);
  if (files.length === 0) return <p class="hint">No file that is left out is like that.</p>;
  return (
    <Wide label="Files that are left out">
      {files.length > A_FEW ? <SkipList files={files.length} /> : null}
      <table class="log">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">path</th>
            <th scope="col">why</th>
            <th scope="col">size</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ path, reason: why, bytes }) => (
            <tr key={path}>
              <th scope="row">
                <button
                  type="button"
                  class="path"
                  title={`Why ${path} is left out`}
                  onClick={() => void explain(path)}
                >
                  {path}
                </button>
              </th>
              <td>{skipWords(why)}</td>
              <td>{size(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next === null ? null : (
        <p class="more">
          <span class="hint">
            {count(files.length)} of {many(whole, "file")}
          </span>
          <button type="button" onClick={() => void showMore()}>
            Show more
          </button>
        </p>
      )}
    </Wide>
  );
}
