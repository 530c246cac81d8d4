import type { Node } from "web-tree-sitter";
import { bodyOf, field, fieldText, type Grammar } from "../grammar.ts";

export const python: Grammar = {
  definitions: {
    function_definition: { kind: functionKind, fields: fieldsOf },
    class_definition: { kind: "class", members: bodyOf },
    assignment: { kind: assignedKind, names: assignedNames, body: () => null },
    type_alias_statement: { kind: "type", names: aliasName, body: () => null },
  },
  isImport: (node) => /^(import|import_from|future_import)_statement$/.test(node.type) || isDocstring(node),
  isDocstring,
  comments: new Set(["comment"]),
  attributes: new Set(["decorator"]),
  wrappers: new Set(["decorated_definition", "expression_statement"]),
  transparent: new Set(),
  nested: ["function_definition", "class_definition"],
  mayNest: (text) => /^[ \t]*(?:async\s+)?(?:def|class)\b/m.test(text),
  blockStatements,
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

function functionKind(_: Node, parent: Node | undefined) {
  return parent?.type === "class_definition" ? "method" : "function";
}

/** A name bound to a function is one: `key = lambda line: …`. */
function assignedKind(node: Node, parent: Node | undefined) {
  return field(node, "right")?.type === "lambda" ? functionKind(node, parent) : "variable";
}

/** `a, (b, c) = …` defines three, `self.x = …` a field; `config.x = …` and `x[0] = …` define nothing. */
function assignedNames(node: Node): string[] {
  const left = field(node, "left");
  return left ? boundNames(left) : [];
}

function boundNames(target: Node): string[] {
  if (target.type === "identifier") return [target.text];
  if (target.type === "attribute")
    return fieldText(target, "object") === "self" ? [fieldText(target, "attribute")] : [];
  return PATTERNS.has(target.type) ? target.namedChildren.flatMap(boundNames) : [];
}

const PATTERNS: ReadonlySet<string> = new Set([
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "list_splat_pattern",
]);

/** What `__init__` assigns to `self`, each name once. */
function fieldsOf(node: Node): Node[] {
  const body = field(node, "body");
  if (fieldText(node, "name") !== "__init__" || !body?.text.includes("self.")) return [];
  const seen = new Set<string>();
  return body.descendantsOfType("assignment").filter((assignment) => {
    const left = field(assignment, "left")?.text ?? "";
    if (!left.includes("self.") || seen.has(left)) return false;
    seen.add(left);
    return true;
  });
}

/** A module's names may be defined under a condition: `if TYPE_CHECKING:`, `try: … except ImportError:`. */
function blockStatements(node: Node): Node[] | undefined {
  if (!BLOCKS.has(node.type) || /\b__name__\b/.test(fieldText(node, "condition"))) return undefined;
  return node.namedChildren.flatMap((child) => {
    if (child.type === "block") return child.namedChildren;
    return child.type === "comment" ? [child] : (blockStatements(child) ?? []);
  });
}

const BLOCKS: ReadonlySet<string> = new Set([
  "if_statement",
  "elif_clause",
  "else_clause",
  "try_statement",
  "except_clause",
  "except_group_clause",
  "finally_clause",
  "with_statement",
]);

/** `type Pairs[T] = …` → `Pairs`. */
function aliasName(node: Node): string[] {
  return [/^\w+/.exec(fieldText(node, "left"))?.[0] ?? ""].filter(Boolean);
}
