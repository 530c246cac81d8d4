import type { Node } from "web-tree-sitter";
import { childOfType, field, fieldText } from "../grammar.ts";
import { type ReadImport, withoutSpaces } from "./statement.ts";

export const rustImports = (nodes: readonly Node[]): ReadImport[] => nodes.flatMap(read);

function read(node: Node): ReadImport[] {
  const exported = childOfType(node, "visibility_modifier") !== undefined;
  const name = fieldText(node, "name");
  if (node.type === "mod_item")
    return [{ node, specifier: `self::${name}`, name: "", local: name, exported }];
  if (node.type === "extern_crate_declaration")
    return [{ node, specifier: name, name: "", local: fieldText(node, "alias") || name, exported }];
  const tree = field(node, "argument");
  return tree ? useTree(tree, "", exported) : [];
}

/** @param path what encloses the tree: `a::b` for each of `use a::b::{c, d}` */
function useTree(node: Node, path: string, exported: boolean): ReadImport[] {
  const join = (inner: string) => [path, inner].filter(Boolean).join("::");
  const textOf = (part: Node | null | undefined) => withoutSpaces(part?.text ?? "").replace(/^::/, "");
  switch (node.type) {
    case "use_list":
      return node.namedChildren.flatMap((child) => useTree(child, path, exported));
    case "scoped_use_list": {
      const list = field(node, "list");
      return list ? useTree(list, join(textOf(field(node, "path"))), exported) : [];
    }
    case "use_wildcard":
      return [{ node, specifier: join(textOf(node.firstNamedChild)), name: "*", local: "", exported }];
    case "use_as_clause": {
      const alias = fieldText(node, "alias");
      const local = alias === "_" ? "" : alias;
      return [{ node, ...item(join(textOf(field(node, "path")))), local, exported }];
    }
    case "self":
      return [{ node, specifier: path, name: "", local: lastPart(path), exported }];
    case "identifier":
    case "scoped_identifier":
    case "crate":
    case "super":
      return [{ node, ...item(join(textOf(node))), exported }];
    default:
      return [];
  }
}

/** `crate::model::Invoice` → `Invoice` of `crate::model`; `self` at the end of a path is the path. */
function item(path: string): { specifier: string; name: string; local: string } {
  const whole = path.replace(/::self$/, "");
  const local = lastPart(whole);
  if (whole !== path || local === whole) return { specifier: whole, name: "", local };
  return { specifier: whole.slice(0, -local.length - 2), name: local, local };
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf(":") + 1);
