/** Code of one language inside a file: all of it, a component's script, a notebook's cell. */
import type { GrammarName, Language } from "@dhi/core/languages";
import { notebookRegions } from "./notebook.ts";
import { scriptRegions } from "./script-regions.ts";

/** Offsets are UTF-16 units. Regions of a file are in order and do not overlap; what lies between them is no code. */
export interface Region {
  /** `undefined` for prose and for languages without one: nothing to parse. */
  readonly grammar: GrammarName | undefined;
  /** The part of the file that goes with it, such as the tags around a script. */
  readonly start: number;
  readonly end: number;
  /** What a person reads there. */
  readonly text: string;
  /** What is parsed: the text, where what is no code is made blank, so that both have the same length. */
  readonly code: string;
  /** Where an offset into the text lies in the file. */
  fileOffset(offset: number): number;
  /** 1-based number of a notebook's cell. */
  readonly cell?: number;
}

/** @returns none where a file is to be read by lines */
export function regionsOf(text: string, { grammar, embeds }: Language): readonly Region[] {
  if (grammar) return [wholeFile(text, grammar)];
  if (embeds === "cells") return notebookRegions(text);
  return embeds ? scriptRegions(text, embeds) : [];
}

const wholeFile = (text: string, grammar: GrammarName): Region => ({
  grammar,
  start: 0,
  end: text.length,
  text,
  code: text,
  fileOffset: (offset) => offset,
});
