import type { Node } from "web-tree-sitter";
import { bodyOf, type DefinitionRule, field, type Grammar } from "../grammar.ts";

const variables: DefinitionRule = { kind: "variable", list: new Set(["variable_declarator"]) };

export const java: Grammar = {
  definitions: {
    class_declaration: { kind: "class", members: bodyOf },
    record_declaration: { kind: "class", members: bodyOf, fields: componentsOf },
    formal_parameter: { kind: "variable", body: () => null },
    interface_declaration: { kind: "interface", members: bodyOf },
    annotation_type_declaration: { kind: "interface", members: bodyOf },
    enum_declaration: { kind: "enum", members: bodyOf },
    module_declaration: { kind: "module" },
    method_declaration: { kind: "method" },
    constructor_declaration: { kind: "method" },
    compact_constructor_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method" },
    field_declaration: variables,
    constant_declaration: variables,
    variable_declarator: { kind: "variable", body: () => null },
    enum_constant: { kind: "variable", members: bodyOf },
  },
  isImport: (node) => node.type === "package_declaration" || node.type === "import_declaration",
  comments: new Set(["line_comment", "block_comment"]),
  attributes: new Set(["annotation", "marker_annotation"]),
  wrappers: new Set(),
  transparent: new Set(["enum_body_declarations"]),
  nested: ["class_declaration", "record_declaration", "interface_declaration", "enum_declaration"],
  mayNest: (text) => /\b(?:class|record|interface|enum)\s/.test(text),
  isExported: ({ node, parent, signature }) =>
    node.type === "enum_constant" ||
    node.type === "formal_parameter" ||
    (parent !== undefined && implicitlyPublic.has(parent.type)) ||
    /^(?:[\w-]+ )*public /.test(signature),
};

/** Each has an accessor, which is public. */
function componentsOf(record: Node): readonly Node[] {
  return (
    field(record, "parameters")?.namedChildren.filter((child) => child.type === "formal_parameter") ?? []
  );
}

/** Their members are public without saying so. */
const implicitlyPublic = new Set(["interface_declaration", "annotation_type_declaration"]);
