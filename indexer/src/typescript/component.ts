/**
 * Single-file components as TypeScript sees them: `Cart.vue` is read as `Cart.vue.ts`, which holds its scripts, with
 * everything else made blank so that every offset and line stays. `import "./Cart.vue"` finds that name by itself.
 */
import type { GrammarName } from "@dhi/core/languages";
import { languageOf } from "@dhi/core/languages";
import { regionsOf } from "../chunker/region.ts";

const COMPONENT = /\.(?:vue|svelte)$/i;
const SEEN_AS = /\.(?:vue|svelte)\.ts$/i;

/** The name under which TypeScript reads a file. */
export const seenAs = (file: string): string => (COMPONENT.test(file) ? `${file}.ts` : file);

/** @returns the component behind the name, `undefined` when it is that of a plain file */
export const componentOf = (name: string): string | undefined =>
  SEEN_AS.test(name) ? name.slice(0, -".ts".length) : undefined;

/** The way back from {@link seenAs}. */
export const realName = (name: string): string => componentOf(name) ?? name;

/** @returns a text of the same length and lines */
export function scriptsOf(file: string, text: string): string {
  let scripts = "";
  for (const { start, end, code } of regionsOf(text, languageOf(file)))
    scripts += blank(text.slice(scripts.length, start)) + code.slice(0, end - start);
  return scripts + blank(text.slice(scripts.length));
}

/** @returns that of its first script */
export const grammarOfScripts = (file: string, text: string): GrammarName | undefined =>
  regionsOf(text, languageOf(file))[0]?.grammar;

const blank = (text: string): string => text.replace(/\S/g, " ");
