import type { Node } from "web-tree-sitter";
import { field, fieldText } from "../grammar.ts";
import { type ReadImport, withoutSpaces } from "./statement.ts";

export const pythonImports = (nodes: readonly Node[]): ReadImport[] => nodes.flatMap(read);

function read(node: Node): ReadImport[] {
  const exported = !isLocal(node);
  const names = node.childrenForFieldName("name").filter((name) => name.isNamed);
  if (node.type === "import_statement")
    return names.map((item) => {
      const { name, local } = aliased(item);
      return { node, specifier: name, name: "", local, exported };
    });
  const specifier = withoutSpaces(fieldText(node, "module_name"));
  if (node.namedChildren.some((child) => child.type === "wildcard_import"))
    return [{ node, specifier, name: "*", local: "", exported }];
  return names.map((item) => ({ node: item, specifier, ...aliased(item), exported }));
}

/** `import a.b` is called by `a.b`, and so is what it binds here. */
function aliased(item: Node): { name: string; local: string } {
  const name = withoutSpaces(field(item, "name")?.text ?? item.text);
  return { name, local: fieldText(item, "alias") || name };
}

/** Inside a function. In `try` or `if` it is still the module's. */
function isLocal(node: Node): boolean {
  if (node.startPosition.column === 0) return false;
  for (let outer = node.parent; outer; outer = outer.parent)
    if (outer.type === "function_definition") return true;
  return false;
}
