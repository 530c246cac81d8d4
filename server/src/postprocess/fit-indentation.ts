/**
 * Indents as the file does: tabs or spaces, as many as there. Only white space at the start of lines is changed, and only
 * where both the file and the text are clear about their own way.
 */
import { beforeCursor, linesAbove } from "./cursor-line.ts";
import { columnsOf, type IndentUnit, indentOf, indentUnitOf, TAB_COLUMNS } from "./indentation.ts";
import type { Lexis } from "./lexis.ts";
import { literalIn, type Open, scan } from "./scan.ts";
import type { Step, StepContext } from "./step.ts";
import { surroundingsOf } from "./surroundings.ts";

/** What opens a block in one line and has it in the next. */
const OPENS_BLOCK = /[{[(:]\s*$/;

export const fitIndentation: Step = (text, { request }) => {
  const around = surroundingsOf(request);
  // In a string every blank counts.
  if (around && literalIn(around.open)) return text;
  const before = beforeCursor(request.prefix);
  const [first = "", ...rest] = text.split("\n");
  const start = before.trim() === "" ? onceIndented(first, before, request) : first;
  if (rest.length === 0) return start;

  const unit = indentUnitOf(request);
  if (unit === undefined) return [start, ...rest].join("\n");
  const lines = [before + start, ...rest];
  const fitted = inSteps(unit === "\t" ? withTabs(lines) : withSpaces(lines, unit), unit);
  const isText = around ? linesInText([start, ...rest], around.lexis, around.open) : [];
  return [start, ...rest.map((line, i) => (isText[i + 1] ? line : (fitted[i + 1] ?? line)))].join("\n");
};

/** Which lines of a text at the cursor begin inside a string. */
function linesInText(lines: readonly string[], lexis: Lexis, open: readonly Open[]): readonly boolean[] {
  let at = open;
  return lines.map((line) => {
    const literal = literalIn(at);
    at = scan(`${line}\n`, lexis, at).open;
    return literal !== undefined && !literal.comment;
  });
}

/** The indentation that the cursor's line has already is not written once more. */
function onceIndented(first: string, before: string, { prefix }: StepContext["request"]): string {
  if (before === "" || !first.startsWith(before) || first.trim() === "") return first;
  const above = linesAbove(prefix).at(-1);
  if (above === undefined || OPENS_BLOCK.test(above)) return first;
  const deepest = columnsOf(indentOf(above));
  return columnsOf(before + indentOf(first)) > deepest ? first.slice(before.length) : first;
}

const reindent = (line: string, change: (indent: string) => string): string => {
  const indent = indentOf(line);
  return line.trim() === "" || indent === "" ? line : change(indent) + line.slice(indent.length);
};

/** Spaces beyond whole levels stay: they align. */
function withTabs(lines: readonly string[]): readonly string[] {
  const widths = lines.slice(1).map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const width = commonStep(widths);
  if (width === undefined) return lines;
  return lines.map((line, i) =>
    i === 0
      ? line
      : reindent(line, (indent) =>
          indent.startsWith(" ")
            ? "\t".repeat(Math.floor(indent.length / width)) + " ".repeat(indent.length % width)
            : indent,
        ),
  );
}

function withSpaces(lines: readonly string[], unit: Exclude<IndentUnit, "\t">): readonly string[] {
  return lines.map((line, i) =>
    i === 0 ? line : reindent(line, (indent) => indent.replace(/\t/g, " ".repeat(unit))),
  );
}

/** The level in spaces of which all widths are multiples. */
function commonStep(widths: readonly number[]): number | undefined {
  const seen = widths.filter((width) => width > 0);
  if (seen.length === 0) return undefined;
  return [8, TAB_COLUMNS, 3, 2].find((step) => seen.every((width) => width % step === 0));
}

/** Blocks that are indented by another number of spaces than the file's get as many as those have. */
function inSteps(lines: readonly string[], unit: IndentUnit): readonly string[] {
  if (unit === "\t") return lines;
  const base = indentOf(lines[0] ?? "").length;
  const step = blockStep(lines);
  if (step === undefined || step === unit) return lines;
  const widths = lines.map((line) => indentOf(line).length - base);
  const isWhole = lines.every((line, i) => line.trim() === "" || (widths[i] ?? 0) % step === 0);
  if (!isWhole) return lines;
  return lines.map((line, i) =>
    i === 0 ? line : reindent(line, () => " ".repeat(Math.max(0, base + ((widths[i] ?? 0) / step) * unit))),
  );
}

/** By how much the text indents its blocks; `undefined` when it has none, or not always by the same. */
function blockStep(lines: readonly string[]): number | undefined {
  const steps = new Set<number>();
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1];
    if (/[{:]\s*$/.test(line) && next !== undefined && next.trim() !== "") {
      steps.add(indentOf(next).length - indentOf(line).length);
    }
  }
  const [step] = steps;
  return steps.size === 1 && step !== undefined && step > 0 ? step : undefined;
}
