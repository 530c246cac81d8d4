/** What must hold for whatever is shown. */
import type { Postprocessed } from "@dhi/server/postprocess/postprocess";
import type { CodeCursor } from "./cursors.ts";

export interface Shown {
  readonly cursor: CodeCursor;
  /** What the model wrote. */
  readonly output: string;
  readonly text: string;
  /** The same again, from its own result. */
  readonly again: Postprocessed;
  /** Errors in the tree of the whole file; `undefined` when nobody can say what the right tree were. */
  readonly errors?: {
    readonly shown: number;
    /** With nothing accepted. */
    readonly before: number;
    /** With as much of the truth as the shown text begins with. */
    readonly right: number;
  };
  /** Code right of the cursor became text. */
  readonly swallows: boolean;
}

const SENTINEL = /<\||＜\||\|>|<fim_|\[SUFFIX\]/;

/** Each says of a text that is shown what is wrong with it. */
export const invariants: Readonly<Record<string, (shown: Shown) => boolean>> = {
  "is well-formed text": ({ text }) => text.isWellFormed() && !/[\0\ufffd]/.test(text),
  "is what the model wrote, up to line ends and indentation": ({ text, output }) =>
    bare(output).includes(bare(text)),
  "ends lines as the file does": ({ text, cursor }) =>
    !text.includes("\n") ||
    text.replaceAll("\r\n", "").includes("\n") !== cursor.suffix.concat(cursor.prefix).includes("\r\n"),
  "emits no sentinel": ({ text, cursor: { prefix, suffix, truth } }) =>
    !SENTINEL.test(text) || SENTINEL.test(prefix + suffix + truth),
  "says nothing twice that stands right of the cursor": repeatsNothing,
  "shows the same again": ({ text, again }) => again.text === text && again.reason === "ok",
  "leaves the code right of the cursor code": ({ swallows }) => !swallows,
  "adds no error that the right text would not": ({ errors }) =>
    !errors || errors.shown <= Math.max(errors.before, errors.right),
};

function repeatsNothing({ text, cursor }: Shown): boolean {
  // Files say some things twice.
  if (isTruth(text, cursor)) return true;
  const rest = firstLine(cursor.suffix).trim();
  if (rest !== "")
    return rest.length < 2 || !text.trimEnd().endsWith(rest) || bare(cursor.truth).endsWith(bare(rest));
  const below = cursor.suffix
    .split("\n")
    .slice(1)
    .find((line) => line.trim() !== "")
    ?.trimEnd();
  const start = cursor.prefix.slice(cursor.prefix.lastIndexOf("\n") + 1);
  const last = (start + text).trimEnd().split("\n").at(-1)?.trimEnd();
  return below === undefined || last !== below || closesItsOwn(text);
}

/** A closing line that belongs to a block the text opened. */
function closesItsOwn(text: string): boolean {
  const last = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  const opener = { ")": "(", "]": "[", "}": "{" }[last.charAt(0)];
  return opener !== undefined && text.split(opener).length >= text.split(last.charAt(0)).length;
}

export const isTruth = (text: string, { truth }: CodeCursor): boolean => bare(truth).startsWith(bare(text));

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n") >>> 0);

/** Without what may be changed. */
export const bare = (text: string): string => text.replace(/\s+/g, " ").trim();
