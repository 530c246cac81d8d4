import type { Node } from "web-tree-sitter";
import { always, bodyOf, childOfType, field, fieldText, type Grammar } from "../grammar.ts";

export const rust: Grammar = {
  definitions: {
    function_item: { kind: functionKind },
    function_signature_item: { kind: functionKind },
    struct_item: { kind: "class", body: bracedBody, members: bracedBody },
    union_item: { kind: "class", members: bodyOf },
    enum_item: { kind: "enum", members: bodyOf },
    trait_item: { kind: "interface", members: bodyOf },
    impl_item: { kind: "class", names: implementedType, members: bodyOf, reopens: always },
    foreign_mod_item: { kind: "module", names: () => [], members: bodyOf, reopens: always },
    mod_item: { kind: "module", members: bodyOf },
    const_item: { kind: "variable" },
    static_item: { kind: "variable" },
    type_item: { kind: "type" },
    associated_type: { kind: "type" },
    macro_definition: { kind: "function", body: (node) => childOfType(node, "macro_rule") ?? null },
    field_declaration: { kind: "variable" },
    enum_variant: { kind: "variable", body: () => null },
  },
  isImport: (node) => node.type === "use_declaration" || node.type === "extern_crate_declaration",
  comments: new Set(["line_comment", "block_comment"]),
  attributes: new Set(["attribute_item"]),
  wrappers: new Set(),
  transparent: new Set(),
  nested: [
    "function_item",
    "struct_item",
    "enum_item",
    "trait_item",
    "impl_item",
    "mod_item",
    "macro_definition",
  ],
  mayNest: (text) => /\b(?:(?:fn|struct|enum|trait|mod)\s|impl\b|macro_rules\b)/.test(text),
  isExported: ({ node, parent, signature }) => {
    if (node.type === "macro_definition") return hasAttribute(node, "macro_export");
    if (node.type === "enum_variant" || parent?.type === "trait_item") return true;
    if (node.type === "impl_item" || node.type === "foreign_mod_item") return true;
    // A trait's methods are as visible as the trait; `impl` blocks repeat no `pub`.
    if (parent?.type === "impl_item" && field(parent, "trait")) return true;
    return /^pub\b(?!\(self\))/.test(signature);
  },
};

function functionKind(_: Node, parent: Node | undefined) {
  return parent?.type === "impl_item" || parent?.type === "trait_item" ? "method" : "function";
}

/** A tuple struct's fields are part of its signature. */
function bracedBody(node: Node): Node | null {
  const body = field(node, "body");
  return body?.type === "field_declaration_list" ? body : null;
}

/** `impl<T> fmt::Display for model::Invoice<T>` → `Invoice`. */
function implementedType(node: Node): string[] {
  const type = field(node, "type");
  const named = type?.type === "type_identifier" ? type : lastName(type);
  return [named?.text ?? fieldText(node, "type")];
}

function lastName(type: Node | null): Node | undefined {
  const inner = type && (field(type, "type") ?? field(type, "name") ?? field(type, "trait"));
  return inner && inner.type !== "type_identifier" ? lastName(inner) : (inner ?? undefined);
}

function hasAttribute(node: Node, name: string): boolean {
  for (let above = node.previousNamedSibling; above; above = above.previousNamedSibling) {
    if (above.type !== "attribute_item") return false;
    if (above.text.includes(name)) return true;
  }
  return false;
}
