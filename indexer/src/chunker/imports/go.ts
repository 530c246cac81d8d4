import type { Node } from "web-tree-sitter";
import { field, fieldText } from "../grammar.ts";
import type { ReadImport } from "./statement.ts";

export const goImports = (nodes: readonly Node[]): ReadImport[] =>
  nodes.map((node) => {
    const specifier = fieldText(node, "path").slice(1, -1);
    const alias = field(node, "name");
    const bare = { node, specifier, local: "", exported: false };
    if (alias?.type === "dot") return { ...bare, name: "*" };
    if (alias?.type === "blank_identifier") return { ...bare, name: "" };
    return { ...bare, name: "", local: alias?.text ?? packageName(specifier) };
  });

/** By custom: the last part of the path that is no version, `go-` and `.v3` left out. */
function packageName(specifier: string): string {
  const parts = specifier.split("/");
  const last = parts.findLast((part, i) => i === 0 || !/^v\d+$/.test(part)) ?? "";
  return last
    .replace(/\.v\d+$/, "")
    .replace(/^go[-.]|[-.]go$/g, "")
    .replaceAll("-", "_");
}
