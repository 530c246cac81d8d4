import type { Node } from "web-tree-sitter";
import { bodyOf, field, fieldText, type Grammar } from "../grammar.ts";

export const python: Grammar = {
  definitions: {
    function_definition: { kind: functionKind },
    class_definition: { kind: "class", members: bodyOf },
    assignment: { kind: "variable", names: assignedNames, body: () => null },
    type_alias_statement: { kind: "type", names: aliasName, body: () => null },
  },
  isImport: (node) => /^(import|import_from|future_import)_statement$/.test(node.type) || isDocstring(node),
  isDocstring,
  comments: new Set(["comment"]),
  attributes: new Set(["decorator"]),
  wrappers: new Set(["decorated_definition", "expression_statement"]),
  transparent: new Set(),
  nested: ["function_definition", "class_definition"],
  isExported: ({ name }) => !name.startsWith("_") || /^__\w+__$/.test(name),
};

/** The first statement of a module or a body, when it is a string. */
function isDocstring(node: Node): boolean {
  return (
    node.type === "expression_statement" &&
    node.firstNamedChild?.type === "string" &&
    node.previousNamedSibling === null
  );
}

function functionKind(node: Node) {
  const outer = node.parent?.type === "decorated_definition" ? node.parent : node;
  return outer.parent?.parent?.type === "class_definition" ? "method" : "function";
}

/** `a, (b, c) = …` defines three; `self.x = …` and `x[0] = …` define nothing. */
function assignedNames(node: Node): string[] {
  const left = field(node, "left");
  if (!left) return [];
  if (left.type === "identifier") return [left.text];
  const isPattern = ["pattern_list", "tuple_pattern", "list_pattern"].includes(left.type);
  return isPattern ? left.descendantsOfType("identifier").map((name) => name.text) : [];
}

/** `type Pairs[T] = …` → `Pairs`. */
function aliasName(node: Node): string[] {
  return [/^\w+/.exec(fieldText(node, "left"))?.[0] ?? ""].filter(Boolean);
}
