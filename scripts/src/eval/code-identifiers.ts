/** Identifiers of code, without what stands in strings and comments, and without words that every file has. */
import { COMMON_WORDS, identifiersOf } from "@dhi/core/identifiers";
import type { LanguageFamily } from "./corpus.ts";

/**
 * Line by line, so that a text that begins or ends in the middle of a string is misread for that line only.
 *
 * @returns in order, repeats included
 */
export function codeIdentifiers(text: string, family: LanguageFamily): string[] {
  const masks = family === "python" ? PYTHON : family === "rust" ? RUST : OTHERS;
  return text.split("\n").flatMap((line) => identifiersOf(masked(line, masks)).filter(isTelling));
}

/** @returns the line with blanks for strings and comments, as long as it was */
export const maskedLine = (line: string, family: LanguageFamily): string =>
  masked(line, family === "python" ? PYTHON : family === "rust" ? RUST : OTHERS);

const PYTHON = /"""[\s\S]*?("""|$)|'''[\s\S]*?('''|$)|"(\\.|[^"\\])*("|$)|'(\\.|[^'\\])*('|$)|#.*$/g;
/** A quote begins a lifetime there more often than a character. */
const RUST = /"(\\.|[^"\\])*("|$)|'(\\.|[^'\\])'|\/\/.*$|\/\*[\s\S]*?(\*\/|$)|^\s*\*.*$/g;
const OTHERS = /"(\\.|[^"\\])*("|$)|'(\\.|[^'\\])*('|$)|`[^`]*(`|$)|\/\/.*$|\/\*[\s\S]*?(\*\/|$)|^\s*\*.*$/g;

const masked = (line: string, masks: RegExp): string =>
  line.replace(masks, (piece) => " ".repeat(piece.length));

const isTelling = (name: string): boolean => name.length > 1 && !COMMON_WORDS.has(name.toLowerCase());
