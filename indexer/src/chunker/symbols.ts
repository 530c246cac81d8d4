/** What a file defines, for looking up a name. */
import type { SymbolDefinition } from "@dhi/core/chunk";
import type { OutlineItem } from "./outline.ts";

/** @returns the 1-based line in the file of an offset that the outline has */
export type LineAt = (offset: number) => number;

/** @returns in the order of the text, but each container before its members; none for `_`, which names nothing */
export function symbolsOf(outline: readonly OutlineItem[], lineAt: LineAt): SymbolDefinition[] {
  return outline.flatMap((item) => [
    ...symbolsOfItem(item, lineAt),
    ...symbolsOf(item.fields, lineAt),
    ...symbolsOf(item.members, lineAt),
    ...symbolsOf(item.nested, lineAt),
  ]);
}

function symbolsOfItem({ definitions, start, end }: OutlineItem, lineAt: LineAt): SymbolDefinition[] {
  return definitions.flatMap(({ name, kind, signature, container, exported, reopens }) =>
    name === null || name === "_" || reopens
      ? []
      : [{ name, kind, signature, container, startLine: lineAt(start), endLine: lineAt(end - 1), exported }],
  );
}
