/** The scripts of a single-file component: Vue, Svelte, Astro. */
import type { GrammarName } from "@dhi/core/languages";
import type { Region } from "./region.ts";

/** A script and the offsets of its tags: `outer` with them, `inner` without. */
interface Script {
  readonly outerStart: number;
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly outerEnd: number;
  readonly grammar: GrammarName;
}

/** @returns one region per script, tags included, up to the next line that is not blank */
export function scriptRegions(text: string, kind: "scripts" | "frontmatter"): Region[] {
  const fences = kind === "frontmatter" ? frontmatterOf(text) : [];
  const byDefault = kind === "frontmatter" ? "typescript" : "javascript";
  const scripts = scriptElements(text, fences.at(-1)?.outerEnd ?? 0, byDefault);
  let written = 0;
  return [...fences, ...scripts].map((script) => {
    const start = startWithIndent(text, script.outerStart, written);
    written = endWithBlankLines(text, script.outerEnd);
    return regionOf(text, script, start, written);
  });
}

function regionOf(
  text: string,
  { innerStart, innerEnd, grammar }: Script,
  start: number,
  end: number,
): Region {
  const code =
    blank(text.slice(start, innerStart)) +
    text.slice(innerStart, innerEnd) +
    blank(text.slice(innerEnd, end));
  return { grammar, start, end, text: text.slice(start, end), code, fileOffset: (offset) => start + offset };
}

const blank = (text: string): string => text.replace(/[^\s]/g, " ");

/** Astro's: between the first two lines of three dashes, if only blanks stand before it. */
function frontmatterOf(text: string): Script[] {
  const [opening] = /^\s*---/.exec(text) ?? [];
  if (opening === undefined) return [];
  const innerStart = opening.length;
  const closing = text.indexOf("\n---", innerStart);
  const innerEnd = closing < 0 ? text.length : closing + 1;
  const outerEnd = Math.min(innerEnd + 3, text.length);
  return [{ outerStart: 0, innerStart, innerEnd, outerEnd, grammar: "typescript" }];
}

/** An element without its end reaches to the end of the text, as in a file that is being typed. */
function scriptElements(text: string, from: number, byDefault: GrammarName): Script[] {
  const found: Script[] = [];
  const opening = /<!--|<script(?=[\s>])/gi;
  const closing = /<\/script\s*>/gi;
  opening.lastIndex = from;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    if (match[0] === "<!--") {
      const end = text.indexOf("-->", opening.lastIndex);
      if (end < 0) break;
      opening.lastIndex = end;
      continue;
    }
    const innerStart = endOfTag(text, opening.lastIndex);
    if (innerStart < 0) break;
    const attributes = text.slice(opening.lastIndex, innerStart - 1);
    closing.lastIndex = innerStart;
    const end = closing.exec(text);
    const grammar = grammarOf(attributes, byDefault);
    const [innerEnd, outerEnd] = end ? [end.index, closing.lastIndex] : [text.length, text.length];
    if (grammar && /\S/.test(text.slice(innerStart, innerEnd)))
      found.push({ outerStart: match.index, innerStart, innerEnd, outerEnd, grammar });
    opening.lastIndex = outerEnd;
  }
  return found;
}

/** @returns the offset after the `>` that is in no quotes; -1 when there is none */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === ">") return at + 1;
    if (character !== '"' && character !== "'") continue;
    at = text.indexOf(character, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

const GRAMMARS: ReadonlyMap<string, GrammarName> = new Map([
  ["ts", "typescript"],
  ["typescript", "typescript"],
  ["tsx", "tsx"],
  ["js", "javascript"],
  ["jsx", "javascript"],
  ["javascript", "javascript"],
  ["babel", "javascript"],
  ["module", "javascript"],
]);

/** @returns `undefined` for data (`type="application/json"`) and for languages without a grammar (`lang="coffee"`) */
function grammarOf(attributes: string, byDefault: GrammarName): GrammarName | undefined {
  const [, , language] = /\s(?:lang|type)\s*=\s*(["']?)([^"'\s>]*)\1/i.exec(attributes) ?? [];
  return language
    ? GRAMMARS.get(language.toLowerCase().replace(/^(?:text|application)\/(?:x-)?/, ""))
    : byDefault;
}

/** The start of its line, when only blanks stand before it there. */
function startWithIndent(text: string, offset: number, from: number): number {
  if (!/\S/.test(text.slice(0, offset))) return from;
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1) + 1, from);
  return /\S/.test(text.slice(lineStart, offset)) ? offset : lineStart;
}

function endWithBlankLines(text: string, offset: number): number {
  const blanks = /(?:[^\S\n]*\n)*(?:[^\S\n]*$)?/y;
  blanks.lastIndex = offset;
  return offset + (blanks.exec(text)?.[0].length ?? 0);
}
