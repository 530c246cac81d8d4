/** What a file brings in, from the `@import` captures of `indexer/queries/*.scm`. */
import type { ImportedName } from "@dhi/core/chunk";
import type { GrammarName } from "@dhi/core/languages";
import type { QueryMatch } from "web-tree-sitter";
import { goImports } from "./imports/go.ts";
import { javaImports } from "./imports/java.ts";
import { pythonImports } from "./imports/python.ts";
import { rustImports } from "./imports/rust.ts";
import type { ImportReader } from "./imports/statement.ts";
import { typescriptImports } from "./imports/typescript.ts";
import type { ReadFile } from "./references.ts";

/** Nothing that a person wrote imports more. */
export const MAX_IMPORTS = 2_000;

const readers: Readonly<Record<GrammarName, ImportReader>> = {
  python: pythonImports,
  typescript: typescriptImports,
  tsx: typescriptImports,
  javascript: typescriptImports,
  go: goImports,
  rust: rustImports,
  java: javaImports,
};

/** @returns in the order of the text; the first {@link MAX_IMPORTS} of them */
export function importsOf(
  matches: readonly QueryMatch[],
  { grammar, lineAt }: Pick<ReadFile, "grammar" | "lineAt">,
): ImportedName[] {
  const nodes = matches.flatMap(({ captures: [first] }) => (first?.name === "import" ? [first.node] : []));
  nodes.sort((a, b) => a.startIndex - b.startIndex);
  return readers[grammar](nodes.slice(0, MAX_IMPORTS))
    .slice(0, MAX_IMPORTS)
    .map(({ node, ...imported }) => ({ ...imported, line: lineAt(node.startIndex) }));
}
