import type { Node } from "web-tree-sitter";
import { childOfType, type DefinitionRule, field, type Grammar } from "../grammar.ts";

const types: DefinitionRule = { kind: "type", list: new Set(["type_spec", "type_alias"]) };
const members: DefinitionRule = { kind: "variable", names: namesOf, body: () => null };
const embedded: DefinitionRule = { ...members, names: embeddedName };
const values: DefinitionRule = { ...members, kind: valueKind, body: functionBody };

export const go: Grammar = {
  definitions: {
    function_declaration: { kind: "function" },
    method_declaration: { kind: "method", container: receiverOf },
    type_declaration: types,
    type_spec: { kind: typeKind, body: openingBrace, members: typeBody, fields: embeddedTypes },
    type_alias: { kind: "type", body: () => null },
    const_declaration: { kind: "variable", list: new Set(["const_spec"]) },
    var_declaration: { kind: "variable", list: new Set(["var_spec"]) },
    const_spec: members,
    var_spec: values,
    field_declaration: members,
    type_identifier: embedded,
    qualified_type: embedded,
    generic_type: embedded,
    method_elem: { kind: "method" },
  },
  isImport: (node) => node.type === "package_clause" || node.type === "import_declaration",
  comments: new Set(["comment"]),
  attributes: new Set(),
  wrappers: new Set(),
  transparent: new Set(["var_spec_list"]),
  nested: ["type_declaration"],
  mayNest: (text) => /\btype[\s(]/.test(text),
  isExported: ({ name }) => /^\p{Lu}/u.test(name),
};

function namesOf(node: Node): string[] {
  return node.childrenForFieldName("name").flatMap((name) => (name.isNamed ? [name.text] : []));
}

/** A struct embedded in another is a field called like its type. */
function embeddedTypes(node: Node): Node[] {
  const type = field(node, "type");
  const fields = type?.type === "struct_type" ? (typeBody(node)?.namedChildren ?? []) : [];
  return fields.flatMap((declaration) =>
    declaration.type === "field_declaration" && !field(declaration, "name")
      ? (field(declaration, "type") ?? [])
      : [],
  );
}

/** `sync.Mutex` → `Mutex`, `Base[T]` → `Base`. */
function embeddedName(node: Node): string[] {
  return [/\w+(?=(?:\[.*)?$)/s.exec(node.text)?.[0] ?? ""].filter(Boolean);
}

/** `var now = func() time.Time { … }`. */
function functionValue(node: Node): Node | undefined {
  const value = field(node, "value")?.firstNamedChild;
  return value?.type === "func_literal" ? value : undefined;
}

function valueKind(node: Node) {
  return functionValue(node) ? "function" : "variable";
}

function functionBody(node: Node): Node | null {
  const value = functionValue(node);
  return value ? field(value, "body") : null;
}

/** `func (s *Server[T]) Run()` → `Server`. */
function receiverOf(node: Node): string | null {
  return field(node, "receiver")?.descendantsOfType("type_identifier")[0]?.text ?? null;
}

function typeKind(node: Node) {
  const type = field(node, "type")?.type;
  if (type === "struct_type") return "class";
  return type === "interface_type" ? "interface" : "type";
}

/** Of a struct or an interface: their own words belong to the signature. */
function openingBrace(node: Node): Node | null {
  return typeBody(node)?.children.find((child) => child.type === "{") ?? null;
}

function typeBody(node: Node): Node | null {
  const type = field(node, "type");
  if (type?.type === "struct_type") return childOfType(type, "field_declaration_list") ?? null;
  return type?.type === "interface_type" ? type : null;
}
