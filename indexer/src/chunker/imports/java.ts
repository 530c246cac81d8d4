import type { Node } from "web-tree-sitter";
import { childOfType } from "../grammar.ts";
import { type ReadImport, withoutSpaces } from "./statement.ts";

export const javaImports = (nodes: readonly Node[]): ReadImport[] => nodes.map(read);

function read(node: Node): ReadImport {
  const path = withoutSpaces(childOfType(node, "scoped_identifier", "identifier")?.text ?? "");
  if (childOfType(node, "asterisk")) return { node, specifier: path, name: "*", local: "", exported: false };
  const name = path.slice(path.lastIndexOf(".") + 1);
  const isStatic = node.children.some((child) => child.type === "static");
  // A static import takes a member out of a class, any other the class itself.
  const specifier = isStatic ? path.slice(0, -name.length - 1) : path;
  return { node, specifier, name, local: name, exported: false };
}
