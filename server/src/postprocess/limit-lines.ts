/** One line where code stands right of the cursor; elsewhere no further than the block or paragraph that was begun. */
import { beforeCursor, firstLines, isOneLine } from "./cursor-line.ts";
import type { Step } from "./step.ts";

const TAB_COLUMNS = 4;

export const limitLines: Step = (text, { request }) => {
  if (isOneLine(request)) {
    const line = firstLines(text, 1);
    return line.trim() === "" && text.trim() !== "" ? { drop: "multi-line" } : line;
  }
  const limited = firstLines(
    text,
    Math.min(request.maxLines ?? Number.POSITIVE_INFINITY, endOf(text, request)),
  );
  return limited.trimEnd();
};

/**
 * @returns the first line that is not part of what was begun: one further left than the cursor's line, or, after a
 * blank one, not further right
 */
function endOf(text: string, { prefix }: { readonly prefix: string }): number {
  const [first = "", ...lines] = text.split("\n");
  const start = beforeCursor(prefix) + first;
  const column = indentOf(start.trim() === "" ? beforeCursor(prefix) : start);
  let hasContent = first.trim() !== "";
  let afterBlank = false;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") {
      afterBlank = hasContent;
      continue;
    }
    const indent = indentOf(line);
    if (indent < column || (afterBlank && indent <= column)) return i + 1;
    hasContent = true;
    afterBlank = false;
  }
  return Number.POSITIVE_INFINITY;
}

/** In columns. The stars of a comment stand one further right than the code that follows it. */
function indentOf(line: string): number {
  let columns = line.trimStart().startsWith("*") ? -1 : 0;
  for (const character of line) {
    if (character === " ") columns++;
    else if (character === "\t") columns += TAB_COLUMNS;
    else break;
  }
  return columns;
}
