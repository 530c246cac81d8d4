/** Jupyter notebooks: the cells inside the JSON (nbformat 4, and 3 with its worksheets). */
import { type GrammarName, languageById } from "@dhi/core/languages";
import { decodeString, type JsonNode, type JsonObject, readJson } from "./json-offsets.ts";
import type { Region } from "./region.ts";

/**
 * @returns one region per cell, which together are the file: what is written around a cell, such as its outputs, belongs
 * to its region but not to its text; none for what is no notebook
 */
export function notebookRegions(text: string): Region[] {
  const root = readJson(text);
  if (root?.type !== "object") return [];
  const cells = cellsOf(root);
  const language = languageOfKernel(root, text);
  const starts = cells.map((cell, i) => (i === 0 ? 0 : startOfCell(text, cell, cells[i - 1]?.end ?? 0)));
  return cells.map((cell, i) => {
    const source = sourceOf(cell, text);
    const isCode = stringIn(cell, "cell_type", text) === "code";
    const grammar = isCode ? grammarOf(source.text, language) : undefined;
    return {
      grammar,
      start: starts[i] ?? 0,
      end: starts[i + 1] ?? text.length,
      text: source.text,
      code: grammar === "python" ? withoutMagics(source.text) : source.text,
      fileOffset: (offset) => source.offsets[offset] ?? cell.end - 1,
      cell: i + 1,
    };
  });
}

function cellsOf(root: JsonObject): JsonObject[] {
  const worksheets = objectsIn(root.entries.get("worksheets"));
  return [root, ...worksheets].flatMap((holder) => objectsIn(holder.entries.get("cells")));
}

const objectsIn = (node: JsonNode | undefined): JsonObject[] =>
  node?.type === "array" ? node.items.filter((item) => item.type === "object") : [];

/** The start of its line, when only blanks stand before it there. */
function startOfCell(text: string, { start }: JsonObject, from: number): number {
  const lineStart = text.lastIndexOf("\n", start) + 1;
  return lineStart < from || /\S/.test(text.slice(lineStart, start)) ? start : lineStart;
}

interface Source {
  readonly text: string;
  /** For each unit of the text, and for its end, the offset in the file; empty for a cell without text. */
  readonly offsets: readonly number[];
}

/** Written as one string, or as one per line; called `input` in the cells of nbformat 3. */
function sourceOf(cell: JsonObject, json: string): Source {
  const source = cell.entries.get("source") ?? cell.entries.get("input");
  const strings = source?.type === "array" ? source.items : source ? [source] : [];
  const lines = strings.flatMap((item) => (item.type === "string" ? [decodeString(json, item)] : []));
  // The end of each line but the last is the start of the next.
  const offsets = lines.flatMap((line, i) =>
    i < lines.length - 1 ? line.offsets.slice(0, -1) : line.offsets,
  );
  return { text: lines.map((line) => line.text).join(""), offsets };
}

function stringIn(object: JsonObject, key: string, json: string): string | undefined {
  const value = object.entries.get(key);
  return value?.type === "string" ? decodeString(json, value).text : undefined;
}

/** Named by the kernel; a notebook that names none is one of Python's. */
function languageOfKernel(root: JsonObject, json: string): string {
  const metadata = root.entries.get("metadata");
  const named = ["language_info", "kernelspec"].flatMap((key) => {
    const info = metadata?.type === "object" ? metadata.entries.get(key) : undefined;
    return info?.type === "object"
      ? (stringIn(info, key === "kernelspec" ? "language" : "name", json) ?? [])
      : [];
  });
  return (named[0] ?? "python").toLowerCase();
}

/** `%%bash` says that the cell is not of the notebook's language; `%%time` and its like do not. */
function grammarOf(source: string, kernelLanguage: string): GrammarName | undefined {
  const [, magic] = /^\s*%%(\w+)/.exec(source) ?? [];
  return magic && !CODE_MAGICS.has(magic) ? undefined : languageById(kernelLanguage).grammar;
}

/** IPython's cell magics that run their cell as the notebook's own language. */
const CODE_MAGICS: ReadonlySet<string> = new Set(["time", "timeit", "capture", "prun", "debug", "px"]);

/** IPython's `%magic` and `!command` lines are no Python: they become comments. */
const withoutMagics = (source: string): string => source.replace(/^([ \t]*)(?:%(?=%?[A-Za-z])|!)/gm, "$1#");
