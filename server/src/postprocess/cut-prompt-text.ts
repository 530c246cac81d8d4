/** Cuts where the middle goes on with our prompt: the header of another file. */
import { languageById, languageOf } from "@dhi/core/languages";
import { beforeCursor, firstLines } from "./cursor-line.ts";
import type { Step } from "./step.ts";

/** As `render.ts` writes before each snippet for families without marks of their own. */
const SNIPPET_HEADER = /^\W{0,8}the below code fragment can be found in:\s*$/i;
/** As Codestral and DeepSeek were trained, and as the comment mark of any language. */
const PATH_MARK = /^\s*(?:\+{5} |#|\/\/|--|;;?|%|"|<!--|\/\*)?\s*/;

export const cutPromptText: Step = (text, { request, promptPaths = [] }) => {
  const paths = new Set(promptPaths);
  const mark = languageById(request.languageId || languageOf(request.path ?? "").id).lineComment;
  const atLineStart = beforeCursor(request.prefix).trim() === "";
  const lines = text.split("\n");
  const at = lines.findIndex((line, i) => SNIPPET_HEADER.test(line) || isHeader(line, i));
  if (at < 0) return text;
  const kept = firstLines(text, at);
  return kept.trim() === "" ? { drop: "prompt-text" } : kept;

  function isHeader(line: string, i: number): boolean {
    if (paths.size === 0 || (i === 0 && !atLineStart)) return false;
    const path = line.replace(PATH_MARK, "").replace(/(?:\s*-->|\s*\*\/)?\s*$/, "");
    // A path without a mark may be what the user wants to write, in a list of files.
    const isMarked = path.length < line.trim().length || (mark !== undefined && line.trim().startsWith(mark));
    if (!isMarked || !paths.has(path)) return false;
    // Its own path may head a file, and somebody who names files in comments goes on doing so.
    return !(path === request.path && request.prefix.trim() === "") && !saysSo(line.trim());
  }
  function saysSo(header: string): boolean {
    return request.prefix.includes(header) || request.suffix.includes(header);
  }
};
