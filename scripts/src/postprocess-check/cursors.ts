/** Places in real files where somebody could be typing, and what really stands there. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type GrammarName, languageOf } from "@dhi/core/languages";
import type { Random } from "../bench/random.ts";
import type { SourcePackage } from "../source-packages.ts";

export const cursorKinds = ["next-line", "line-start", "mid-line", "body"] as const;
export type CursorKind = (typeof cursorKinds)[number];

export interface CodeCursor {
  /** Package and path, for messages. */
  readonly path: string;
  readonly languageId: string;
  readonly grammar: GrammarName;
  readonly kind: CursorKind;
  readonly prefix: string;
  /** What was taken out between prefix and suffix. */
  readonly truth: string;
  readonly suffix: string;
  /** It is in a string or comment. */
  readonly inText: boolean;
}

export interface CodeFile {
  readonly path: string;
  readonly languageId: string;
  readonly grammar: GrammarName;
  readonly text: string;
}

/** Larger files only take the judge longer. */
const MAX_BYTES = 24_000;
const MIN_BYTES = 300;
/** Bundled or minified: nobody types there. */
const MAX_LINE = 300;

/** @returns whole files by grammar, each folder's in order */
export function filesOf(packages: readonly SourcePackage[]): ReadonlyMap<GrammarName, readonly string[]> {
  const found = new Map<GrammarName, string[]>();
  for (const { dir } of packages) {
    for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()) {
      const { grammar } = languageOf(name.replaceAll("\\", "/"));
      if (!grammar) continue;
      const files = found.get(grammar) ?? [];
      found.set(grammar, files);
      files.push(join(dir, name));
    }
  }
  return found;
}

/** @returns `undefined` for what is no file of ordinary size and shape */
export function readCodeFile(path: string): CodeFile | undefined {
  const stat = statSync(path);
  if (!stat.isFile() || stat.size > MAX_BYTES || stat.size < MIN_BYTES) return undefined;
  const text = readFileSync(path, "utf8");
  const { id, grammar } = languageOf(path);
  if (!grammar || text.includes("\ufffd") || text.split("\n").some((line) => line.length > MAX_LINE))
    return undefined;
  return { path, languageId: id, grammar, text };
}

/** @returns `undefined` where the place that came up has nothing to complete */
export function cursorIn(
  file: CodeFile,
  kind: CursorKind,
  random: Random,
): Omit<CodeCursor, "inText"> | undefined {
  const range = ranges[kind](file.text, random);
  if (!range) return undefined;
  const [from, to] = range;
  const truth = file.text.slice(from, to);
  if (truth.trim() === "") return undefined;
  const { path, languageId, grammar } = file;
  return {
    ...{ path, languageId, grammar, kind, truth },
    prefix: file.text.slice(0, from),
    suffix: file.text.slice(to),
  };
}

type Range = readonly [from: number, to: number];

const ranges: Readonly<Record<CursorKind, (text: string, random: Random) => Range | undefined>> = {
  "next-line"(text, random) {
    const line = someLine(text, random);
    return [line.end, linesDown(text, line.end, 1 + random.below(3))];
  },
  "line-start"(text, random) {
    const line = someLine(text, random);
    const indent = /^[^\S\n]*/.exec(text.slice(line.start, line.end))?.[0].length ?? 0;
    return [line.start + indent, linesDown(text, line.end, random.below(3))];
  },
  "mid-line"(text, random) {
    const line = someLine(text, random);
    const ends = [...text.slice(line.start, line.end).matchAll(/\w+|[^\w\s]/g)].map(
      ({ 0: token, index }) => line.start + index + random.below(token.length + 1),
    );
    if (ends.length < 2) return undefined;
    const from = random.pick(ends);
    const later = ends.filter((end) => end > from);
    // Half the time all the rest of the line is missing, else some of it stands there.
    return [from, later.length === 0 || random.next() < 0.5 ? line.end : random.pick(later)];
  },
  body(text, random) {
    const line = someLine(text, random);
    if (!/[{:([]\s*$/.test(text.slice(line.start, line.end))) return undefined;
    return [line.end, linesDown(text, line.end, 1 + random.below(8))];
  },
};

function someLine(text: string, random: Random): { readonly start: number; readonly end: number } {
  const at = random.below(text.length);
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
}

/** @returns the end of the line that is `count` lines further down */
function linesDown(text: string, from: number, count: number): number {
  let end = from;
  for (let line = 0; line < count; line++) {
    const next = text.indexOf("\n", end + 1);
    if (next < 0) return text.length;
    end = next;
  }
  return end;
}
