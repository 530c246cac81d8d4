/** Type in your own code, see ghost text, and see why it was that text. */
import { reasonWords } from "@dhi/client/reason-words";
import { useSignalEffect } from "@preact/signals";
import { config, followConfig } from "../models/models-state.ts";
import { Choice } from "../parts/choice.tsx";
import { status } from "../server/server-state.ts";
import { duration } from "../words/format.ts";
import { modes } from "./compare.tsx";
import { Editor } from "./editor.tsx";
import { FileTree } from "./file-tree.tsx";
import { Inspector } from "./inspector.tsx";
import {
  cursor,
  edited,
  editor,
  engine,
  fileKey,
  isReused,
  loading,
  mode,
  openFile,
  openProblem,
  outcome,
  shown,
} from "./playground-state.ts";

export function Playground() {
  return (
    <div class="playground">
      <FileTree />
      <section class="code" aria-label="Editor">
        <Toolbar />
        <Editor />
        {openFile.value ? null : <Welcome />}
        <AnswerLine />
      </section>
      <Inspector />
    </div>
  );
}

function Toolbar() {
  useSignalEffect(followConfig);
  const engines = config.value?.engines ?? [];
  const file = openFile.value;
  const served = status.value;
  return (
    <div class="toolbar">
      <h1 title={file?.path}>{file?.path ?? "Playground"}</h1>
      {file && edited.value.has(fileKey(file)) ? (
        <button
          type="button"
          title="The file on the disk is as it was"
          onClick={() => editor.peek()?.discard()}
        >
          Discard edits
        </button>
      ) : null}
      <Choice
        label="Mode"
        title="What goes into the prompt: all that retrieval finds, definitions only, the path only, or nothing but the file"
        values={[
          { value: "", text: served ? `default (${served.mode})` : "default" },
          ...modes.map((value) => ({ value, text: value })),
        ]}
        chosen={mode.value ?? ""}
        onChoose={(value) => {
          mode.value = value || undefined;
        }}
      />
      <Choice
        label="Engine"
        title="Who writes the text"
        values={[
          { value: "", text: served ? `default (${served.engine.name})` : "default" },
          ...engines.map((value) => ({ value, text: value })),
        ]}
        chosen={engine.value ?? ""}
        onChoose={(value) => {
          engine.value = value || undefined;
        }}
      />
    </div>
  );
}

function Welcome() {
  return (
    <div class="welcome">
      <p class="big">Your code, with ghost text.</p>
      <p>
        Choose a file on the left and type in it. Nothing is written to the disk: what you type stays in this
        page, and the server knows it as an unsaved buffer.
      </p>
      <dl>
        <dt>
          <kbd>Tab</kbd>
        </dt>
        <dd>accepts the grey text</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>→</kbd>
        </dt>
        <dd>accepts a word of it</dd>
        <dt>
          <kbd>Alt</kbd> <kbd>\</kbd>
        </dt>
        <dd>asks at the cursor</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>M</kbd>
        </dt>
        <dd>lets Tab leave the editor</dd>
      </dl>
    </div>
  );
}

/** Silence that explains itself. */
function AnswerLine() {
  // A preview, or its first lines.
  const isBegun = shown.value !== undefined && shown.value !== outcome.value?.request;
  const { line, column } = cursor.value;
  return (
    <div class="answer-line">
      <p aria-live="polite">
        {openProblem.value ? <span class="bad">{openProblem.value}</span> : null}
        {openProblem.value ? null : isBegun ? "Shown already; the engine is still writing." : <Answer />}
      </p>
      <span class="hint">
        {loading.value > 0 ? "asking…" : openFile.value ? `Line ${line}, column ${column}` : ""}
      </span>
    </div>
  );
}

function Answer() {
  const last = outcome.value;
  if (!last) return openFile.value ? <>Type to be answered.</> : null;
  if (last.kind === "failed")
    return (
      <span class="bad">
        {last.message}
        {last.hint ? `. ${last.hint}` : ""}
      </span>
    );
  const { answer, ms } = last;
  if (!answer.completion) return <>Nothing shown: {reasonWords(answer.reason)}.</>;
  return (
    <>
      {isReused.value ? "Goes on with what came" : "Shown"} in {duration(ms)} · {answer.engine} ·{" "}
      {answer.mode}
      {answer.reuse === "none" ? "" : ` · ${answer.reuse}`}
    </>
  );
}
