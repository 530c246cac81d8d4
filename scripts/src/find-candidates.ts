/** Places in a workspace where code calls what another of its files defines: where retrieval has something to show. */
import { subWordsOf } from "@dhi/core/identifiers";
import type { SourceFile } from "./source-files.ts";

export interface Candidate {
  readonly path: string;
  /** Of the cursor, 1-based. */
  readonly line: number;
  /** Up to the cursor, which stands a few characters into the name. */
  readonly prefix: string;
  /** From the next line on: what stood right of the cursor is for the completion to find. */
  readonly suffix: string;
  readonly name: string;
  /** The characters of the name that are already typed. */
  readonly typed: string;
  readonly definedIn: { readonly path: string; readonly line: number };
}

/** Good enough to find some definitions in every language with a grammar; it need not find all. */
const DEFINITION =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+|public\s+|abstract\s+|final\s+|async\s+)*(?:(?:function|def|fn|class|struct|interface|trait|enum)\s+|func\s+(?:\([^)]*\)\s*)?|const\s+(?=\w+\s*=\s*(?:async\s*)?\())([A-Za-z_]\w*)/gm;
const CALL = /([A-Za-z_]\w*)\s*\(/g;
const NOT_CODE = /^\s*(?:\/\/|#|\*|\/\*|import\b|from\b|use\b|export\s.*\bfrom\b)|\brequire\(/;
/** Examples in docstrings and comments; offsets stay, as only their characters become blanks. */
const PROSE = /"""[\s\S]*?"""|'''[\s\S]*?'''|\/\*[\s\S]*?\*\//g;
const TEST_PATH = /(?:^|[/_.-])(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|vendor)(?:[/_.-]|$)/i;
/** Shorter names are often words of the language or of everybody. */
const SHORTEST_NAME = 7;

/**
 * @param most how many, one per name
 * @returns best first: outside tests, names of several words (`Response` may be the platform's own), used in many files
 */
export function findCandidates(files: readonly SourceFile[], most: number): Candidate[] {
  const definitions = uniqueDefinitions(files);
  const found = new Map<string, { candidate: Candidate; files: number; test: boolean }>();
  for (const file of files) {
    const test = TEST_PATH.test(file.path);
    for (const [name, candidate] of callsOf(file, definitions)) {
      const earlier = found.get(name);
      if (!earlier) found.set(name, { candidate, files: 1, test });
      else
        found.set(name, {
          candidate: earlier.test && !test ? candidate : earlier.candidate,
          files: earlier.files + 1,
          test: earlier.test && test,
        });
    }
  }
  return [...found.values()]
    .sort(
      (a, b) =>
        Number(a.test) - Number(b.test) ||
        Number(isOneWord(a.candidate)) - Number(isOneWord(b.candidate)) ||
        b.files - a.files,
    )
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const isOneWord = ({ name }: Candidate): boolean => subWordsOf(name).length < 2;

/** Names that one place alone defines: with two, nobody could say which is meant. */
function uniqueDefinitions(files: readonly SourceFile[]): Map<string, Candidate["definedIn"]> {
  const places = new Map<string, Candidate["definedIn"][]>();
  for (const { path, text } of files) {
    for (const match of text.matchAll(DEFINITION)) {
      const name = match[1] ?? "";
      if (name.length < SHORTEST_NAME) continue;
      const at = match.index + match[0].length;
      places.set(name, [...(places.get(name) ?? []), { path, line: lineAt(text, at) }]);
    }
  }
  const unique = new Map<string, Candidate["definedIn"]>();
  for (const [name, [place, ...others]] of places) if (place && !others.length) unique.set(name, place);
  return unique;
}

/** @returns the first call in this file of each name that another file defines */
function callsOf(
  { path, text }: SourceFile,
  definitions: ReadonlyMap<string, Candidate["definedIn"]>,
): Map<string, Candidate> {
  const calls = new Map<string, Candidate>();
  const code = text.replace(PROSE, (prose) => prose.replace(/[^\n]/g, " "));
  for (const match of code.matchAll(CALL)) {
    const name = match[1] ?? "";
    const definedIn = definitions.get(name);
    if (!definedIn || definedIn.path === path || calls.has(name)) continue;
    const lineStart = text.lastIndexOf("\n", match.index - 1) + 1;
    const lineEnd = text.indexOf("\n", match.index);
    if (lineEnd < 0 || NOT_CODE.test(code.slice(lineStart, lineEnd))) continue;
    if (isQuoted(code.slice(lineStart, match.index))) continue;
    const typed = name.slice(0, typedLength(name));
    calls.set(name, {
      path,
      line: lineAt(text, match.index),
      prefix: text.slice(0, match.index) + typed,
      suffix: text.slice(lineEnd),
      name,
      typed,
      definedIn,
    });
  }
  return calls;
}

/** Up to the end of its first sub-word, where a developer pauses and a tokenizer cuts; else four characters. */
function typedLength(name: string): number {
  const [first = ""] = subWordsOf(name);
  const end = name.toLowerCase().indexOf(first) + first.length;
  return end < name.length ? end : 4;
}

const isQuoted = (left: string) => ['"', "'", "`"].some((quote) => left.split(quote).length % 2 === 0);

const lineAt = (text: string, offset: number) => text.slice(0, offset).split("\n").length;
