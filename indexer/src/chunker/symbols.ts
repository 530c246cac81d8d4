/** What a file defines, for looking up a name. */
import type { SymbolDefinition } from "@dhi/core/chunk";
import type { OutlineItem } from "./outline.ts";
import type { SourceText } from "./source-text.ts";

/** @returns in the order of the text, each container before its members */
export function symbolsOf(outline: readonly OutlineItem[], source: SourceText): SymbolDefinition[] {
  return outline.flatMap((item) => [
    ...symbolsOfItem(item, source),
    ...symbolsOf(item.members, source),
    ...symbolsOf(item.nested, source),
  ]);
}

function symbolsOfItem({ definitions, start, end }: OutlineItem, { lineAt }: SourceText): SymbolDefinition[] {
  return definitions.flatMap(({ name, kind, signature, container, exported, reopens }) =>
    name === null || reopens
      ? []
      : [{ name, kind, signature, container, startLine: lineAt(start), endLine: lineAt(end - 1), exported }],
  );
}
