/** The workspace's files, as far as they are indexed: a tree, or those whose path has what is typed above it. */
import type { FilesResponse } from "@dhi/core/files-protocol";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, wordsOf } from "../server/ask.ts";
import { indexer, workspace } from "../server/server-state.ts";
import { token } from "../server/token.ts";
import { searchText } from "../words/search-text.ts";
import { open } from "./open-file.ts";
import { edited, fileKey, openFile } from "./playground-state.ts";
import { folderOf, foldersAbove, nameOf, type TreeRow, treeKey, treeRows } from "./tree-rows.ts";

/** Between a key in the search field and the look for it. */
const PAUSE_MS = 120;

export function FileTree() {
  const folders = useSignal<ReadonlyMap<string, FilesResponse>>(new Map());
  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const match = useSignal("");
  const matches = useSignal<FilesResponse | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  /** Path of the row that Tab leads to. */
  const current = useSignal<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  /** A file that was opened elsewhere than here, until its row is there to be scrolled to. */
  const toReveal = useRef<string | undefined>(undefined);

  const rows = useComputed(() =>
    matches.value ? foundRows(matches.value) : treeRows(folders.value, unfolded.value),
  );
  const files = useComputed(() => indexer.value?.files);

  const tell = (error: unknown) => {
    problem.value = wordsOf(error);
  };

  async function load(under: string): Promise<void> {
    const name = workspace.peek();
    // Until it is known which there are.
    if (name === undefined) return;
    try {
      const answer = await ask<FilesResponse>("/v1/files", { query: { workspace: name, under } });
      // Another workspace may be looked at by now.
      if (name !== workspace.peek()) return;
      folders.value = new Map(folders.peek()).set(under, answer);
      problem.value = undefined;
    } catch (error) {
      tell(error);
    }
  }

  useSignalEffect(() => {
    void workspace.value;
    folders.value = new Map();
    unfolded.value = new Set();
  });
  useSignalEffect(() => {
    // Another workspace, another set of files in it, or leave to read them: what is unfolded is read again.
    void [workspace.value, files.value, token.value];
    for (const under of ["", ...unfolded.peek()]) void load(under);
  });
  useSignalEffect(() => {
    // The open file shows among its neighbours.
    const path = openFile.value?.path;
    if (path === undefined || openFile.peek()?.workspace !== workspace.peek()) return;
    toReveal.current = path;
    const closed = foldersAbove(path).filter((folder) => !unfolded.peek().has(folder));
    if (!closed.length) return;
    unfolded.value = new Set([...unfolded.peek(), ...closed]);
    for (const folder of closed) void load(folder);
  });
  useEffect(() => {
    const at = rows.value.findIndex(({ kind, path }) => kind === "file" && path === toReveal.current);
    if (at < 0) return;
    toReveal.current = undefined;
    list.current?.querySelectorAll("[role=treeitem]")[at]?.scrollIntoView({ block: "nearest" });
  }, [rows.value, openFile.value]);
  useSignalEffect(() => {
    const text = searchText(match.value);
    const name = workspace.value;
    if (!text || name === undefined) {
      matches.value = undefined;
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      ask<FilesResponse>("/v1/files", { query: { workspace: name, match: text }, signal: controller.signal })
        .then((answer) => {
          matches.value = answer;
          problem.value = undefined;
        })
        .catch((error: unknown) => {
          if (!controller.signal.aborted) tell(error);
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });

  function toggle(path: string): void {
    const next = new Set(unfolded.peek());
    if (next.delete(path)) unfolded.value = next;
    else {
      unfolded.value = next.add(path);
      void load(path);
    }
  }

  function act({ kind, path }: TreeRow): void {
    current.value = path;
    if (kind === "folder") toggle(path);
    if (kind === "file") void open(workspace.peek(), path);
  }

  function keyDown(event: KeyboardEvent): void {
    const all = rows.peek();
    const at = Math.max(
      0,
      all.findIndex(({ path }) => path === current.peek()),
    );
    const row = all[at];
    const does = treeKey(event.key, all, at);
    if (event.key === "Enter" || event.key === " ") row && act(row);
    else if (!does) return;
    else if ("toggle" in does) toggle(does.toggle);
    else {
      current.value = all[does.go]?.path;
      list.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[does.go]?.focus();
    }
    event.preventDefault();
  }

  const first = rows.value.some(({ path }) => path === current.value) ? current.value : rows.value[0]?.path;
  return (
    <section class="tree" aria-label="Files">
      <input
        type="search"
        aria-label="Find a file"
        placeholder="Find a file"
        spellcheck={false}
        value={match.value}
        onInput={({ currentTarget }) => {
          match.value = currentTarget.value;
        }}
      />
      <div class="rows" role="tree" aria-label="Indexed files" ref={list} onKeyDown={keyDown}>
        {rows.value.map((row) => (
          <Row
            key={`${row.kind}${row.path}`}
            row={row}
            isFirst={row.path === first}
            isFlat={!!matches.value}
            act={act}
          />
        ))}
      </div>
      {rows.value.length === 0 ? (
        <p class="hint">
          {problem.value ?? (matches.value ? NO_MATCH : folders.value.has("") ? emptyWords() : "Asking…")}
        </p>
      ) : null}
    </section>
  );
}

const NO_MATCH = "No indexed file has that in its path.";
const emptyWords = (): string =>
  indexer.value?.state === "watching" ? "No file here can be indexed." : "Nothing is indexed yet.";

interface RowProps {
  readonly row: TreeRow;
  readonly isFirst: boolean;
  readonly isFlat: boolean;
  readonly act: (row: TreeRow) => void;
}

function Row({ row, isFirst, isFlat, act }: RowProps) {
  const { kind, path, level, isOpen, position, siblings } = row;
  const key = fileKey({ workspace: workspace.value, path });
  const isShown = kind === "file" && openFile.value !== undefined && fileKey(openFile.value) === key;
  const isEdited = kind === "file" && edited.value.has(key);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
    <div
      role="treeitem"
      class={kind}
      style={{ "--level": level }}
      tabIndex={isFirst ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isShown}
      {...(kind === "folder" && { "aria-expanded": isOpen })}
      title={path}
      onClick={() => act(row)}
    >
      <span class="name">{kind === "more" ? "there are more; type to find them" : nameOf(path)}</span>
      {isEdited ? (
        <span class="edited" title="edited in this page">
          <span class="visually-hidden">edited</span>
        </span>
      ) : null}
      {isFlat ? <span class="folder-of">{folderOf(path)}</span> : null}
    </div>
  );
}

const foundRows = ({ files, more }: FilesResponse): TreeRow[] => {
  const siblings = files.length + (more ? 1 : 0);
  const row = (kind: TreeRow["kind"], path: string, at: number): TreeRow => ({
    ...{ kind, path, level: 1, isOpen: false, position: at + 1, siblings },
  });
  return [
    ...files.map(({ path }, i) => row("file", path, i)),
    ...(more ? [row("more", "", files.length)] : []),
  ];
};
