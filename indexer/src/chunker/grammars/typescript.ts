/** TypeScript, TSX and JavaScript: one table, since their grammars name what they share alike. */
import type { Node } from "web-tree-sitter";
import { bodyOf, childOfType, type DefinitionRule, field, fieldText, type Grammar } from "../grammar.ts";

const declarators: DefinitionRule = { kind: "variable", list: new Set(["variable_declarator"]) };
const property: DefinitionRule = { kind: valueKind("method"), names: propertyName, body: valueBody };
const methodHead: DefinitionRule = { kind: "method", names: propertyName };
const parameterProperty: DefinitionRule = { kind: "variable", names: parameterName };
const namespace: DefinitionRule = { kind: "module", names: propertyName, members: bodyOf };

export const typescript: Grammar = {
  definitions: {
    function_declaration: { kind: "function" },
    generator_function_declaration: { kind: "function" },
    function_signature: { kind: "function" },
    function_expression: { kind: "function" },
    arrow_function: { kind: "function" },
    class_declaration: { kind: "class", members: bodyOf },
    abstract_class_declaration: { kind: "class", members: bodyOf },
    class: { kind: "class", members: bodyOf },
    interface_declaration: { kind: "interface", members: bodyOf },
    type_alias_declaration: { kind: "type", body: objectType, members: objectType },
    enum_declaration: { kind: "enum", members: bodyOf },
    internal_module: namespace,
    module: namespace,
    lexical_declaration: declarators,
    variable_declaration: declarators,
    variable_declarator: {
      kind: valueKind("function"),
      names: boundNames,
      body: signatureEnd,
      members: valueMembers,
    },
    assignment_expression: {
      kind: valueKind("function"),
      names: assignedName,
      body: signatureEnd,
      members: assignedMembers,
      container: assignedOwner,
      reopens: isPrototype,
    },
    // `export default { … }`, `export default defineComponent({ … })`, `app.component("name", { … })`.
    object: { kind: "variable", names: () => [], members: methodsIn },
    call_expression: { kind: "variable", names: () => [], members: methodsIn },
    pair: {
      kind: valueKind("method"),
      names: functionKey,
      body: signatureEnd,
      members: valueMembers,
      reopens: (node) => !isFunction(boundValue(node)),
    },
    method_definition: { ...methodHead, fields: parameterProperties },
    required_parameter: parameterProperty,
    optional_parameter: parameterProperty,
    method_signature: methodHead,
    abstract_method_signature: methodHead,
    property_signature: property,
    public_field_definition: property,
    field_definition: property,
    enum_assignment: { kind: "variable", names: propertyName, body: () => null },
    property_identifier: { kind: "variable", names: (node) => [node.text], body: () => null },
  },
  isImport: (node) =>
    node.type === "import_statement" ||
    node.type === "hash_bang_line" ||
    isDirective(node) ||
    isRequire(node),
  comments: new Set(["comment"]),
  attributes: new Set(["decorator"]),
  wrappers: new Set([
    "export_statement",
    "ambient_declaration",
    "expression_statement",
    "as_expression",
    "satisfies_expression",
  ]),
  transparent: new Set(),
  nested: [
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "type_alias_declaration",
    "enum_declaration",
    "internal_module",
    "lexical_declaration",
  ],
  mayNest: (text) =>
    /\b(?:function\b\s*\*?\s*[^\s(*]|(?:class|interface|type|enum|namespace|module)\s+[^\s:=,;)])/.test(
      text,
    ) ||
    (/\b(?:const|let)\s/.test(text) && /=>|\bfunction\b/.test(text)),
  exportedNames,
  isExported: ({ name, node, path, parent, signature, exportedNames }) => {
    if (parent && parent.type !== "internal_module" && parent.type !== "module")
      return !name.startsWith("#") && !/^(?:private|protected) /.test(signature);
    if (node.type === "assignment_expression") return true;
    return (
      path.some((outer) => outer.type === "export_statement" || outer.type === "ambient_declaration") ||
      exportedNames.has(name)
    );
  },
};

/** `"use strict"`, `"use client"`. */
function isDirective(node: Node): boolean {
  return node.type === "expression_statement" && node.firstNamedChild?.type === "string";
}

/** `const a = require("a"), b = require("b").b`, all of it. */
function isRequire(node: Node): boolean {
  return (
    (node.type === "lexical_declaration" || node.type === "variable_declaration") &&
    node.namedChildren.every((declarator) => {
      let value = field(declarator, "value");
      while (value?.type === "member_expression") value = field(value, "object");
      return value?.type === "call_expression" && fieldText(value, "function") === "require";
    })
  );
}

const functionTypes = ["arrow_function", "function_expression", "generator_function"];

/** A name bound to a function is one: `const total = () => …`. */
function valueKind(functionKind: "function" | "method") {
  return (node: Node) => {
    const value = boundValue(node)?.type ?? "";
    if (functionTypes.includes(value)) return functionKind;
    return value === "class" ? "class" : "variable";
  };
}

/** Asked for several times per node, and asking the tree takes longest. */
const boundValues = new WeakMap<Node, Node | null>();

function boundValue(node: Node): Node | null {
  const known = boundValues.get(node);
  if (known !== undefined) return known;
  const value = field(node, "value") ?? field(node, "right");
  boundValues.set(node, value);
  return value;
}

function valueBody(node: Node): Node | null {
  const value = boundValue(node);
  return value && (functionTypes.includes(value.type) || value.type === "class")
    ? field(value, "body")
    : null;
}

/** Where a function, a class or an object of functions begins to say more than how it is used. */
function signatureEnd(node: Node): Node | null {
  const value = boundValue(node);
  return value && (valueBody(node) ?? methodsIn(value));
}

/** A name bound to a class, or to an object of functions, has their members. */
function valueMembers(node: Node): Node | null {
  const value = boundValue(node);
  return value?.type === "class" ? field(value, "body") : value && methodsIn(value);
}

/** Of an object that holds functions; a call passes such an object on, as the last of its arguments. */
function methodsIn(value: Node): Node | null {
  switch (value.type) {
    case "object":
      return holdsFunctions(value, 3) ? value : null;
    case "call_expression": {
      const last = field(value, "arguments")?.lastNamedChild;
      return last?.type === "object" ? methodsIn(last) : null;
    }
    case "as_expression":
    case "satisfies_expression": {
      const inner = value.firstNamedChild;
      return inner && methodsIn(inner);
    }
    default:
      return null;
  }
}

/** @param depth how many objects inside one another are looked into */
function holdsFunctions(object: Node, depth: number): boolean {
  if (depth === 0 || !/=>|\)\s*\{|\bfunction\b/.test(object.text)) return false;
  return object.namedChildren.some((entry) => {
    if (entry.type === "method_definition") return true;
    const value = entry.type === "pair" ? field(entry, "value") : null;
    return isFunction(value) || (value?.type === "object" && holdsFunctions(value, depth - 1));
  });
}

const isFunction = (node: Node | null) => node !== null && functionTypes.includes(node.type);

/** Data in an object defines nothing: tables of it would bury what is looked up. */
function functionKey(node: Node): string[] {
  const value = boundValue(node);
  if (!isFunction(value) && !valueMembers(node)) return [];
  return [unquoted(fieldText(node, "key"))].filter(Boolean);
}

/** `constructor(private readonly store: Store)`. */
function parameterProperties(node: Node): Node[] {
  if (fieldText(node, "name") !== "constructor") return [];
  const parameters = field(node, "parameters")?.namedChildren ?? [];
  return parameters.filter((parameter) => {
    const pattern = field(parameter, "pattern");
    const before = parameter.text.slice(0, pattern ? pattern.startIndex - parameter.startIndex : 0);
    return /\b(?:public|private|protected|override|readonly)\s+$/.test(before);
  });
}

function parameterName(node: Node): string[] {
  const pattern = field(node, "pattern");
  return pattern?.type === "identifier" ? [pattern.text] : [];
}

function objectType(node: Node): Node | null {
  const value = field(node, "value");
  return value?.type === "object_type" ? value : null;
}

/** `name`, `#name`, `"quoted"`, `[Symbol.iterator]`, `A.B`. */
function propertyName(node: Node): string[] {
  const name = fieldText(node, "name") || fieldText(node, "property");
  return name ? [unquoted(name)] : [];
}

const unquoted = (name: string): string => name.replace(/^(["'])(.*)\1$/s, "$2");

/** Every name a pattern binds: `{ a, b: c, d = 1, ...rest } = …` binds a, c, d and rest. */
function boundNames(node: Node): string[] {
  const name = field(node, "name");
  return name ? namesIn(name) : [];
}

function namesIn(pattern: Node): string[] {
  if (/^(identifier|shorthand_property_identifier_pattern)$/.test(pattern.type)) return [pattern.text];
  const bound = field(pattern, "left") ?? field(pattern, "value");
  return bound ? namesIn(bound) : pattern.namedChildren.flatMap(namesIn);
}

/**
 * `App.prototype.use = function …` defines `use`, and `App.prototype = { … }` adds to App; an assignment of anything but a
 * function, a class or an object of functions defines nothing.
 */
function assignedName(node: Node): string[] {
  const left = field(node, "left");
  if (left?.type !== "member_expression" || !(valueBody(node) || assignedMembers(node))) return [];
  if (isPrototype(node)) return [fieldText(left, "object")];
  const isModule = /^(?:module\.)?exports$/.test(left.text);
  return isModule && !valueBody(node) ? [] : [fieldText(left, "property")];
}

function assignedMembers(node: Node): Node | null {
  return field(node, "left")?.type === "member_expression" ? valueMembers(node) : null;
}

function isPrototype(node: Node): boolean {
  const left = field(node, "left");
  return left !== null && fieldText(left, "property") === "prototype";
}

function assignedOwner(node: Node): string | null {
  const left = field(node, "left");
  if (!left || isPrototype(node)) return null;
  const owner = fieldText(left, "object").replace(/\.prototype$/, "");
  return /^[\w$]+$/.test(owner) && owner !== "exports" && owner !== "module" ? owner : null;
}

/** `export { a, b as c }`, `export default a`, and CommonJS's `module.exports = a` and `= { a }`. */
function exportedNames(root: Node): Set<string> {
  const names = new Set<string>();
  const add = (node: Node | null | undefined) => node?.type.includes("identifier") && names.add(node.text);
  for (const statement of root.namedChildren) {
    if (statement.type === "export_statement") {
      add(field(statement, "value"));
      if (field(statement, "source")) continue;
      for (const specifier of childOfType(statement, "export_clause")?.namedChildren ?? [])
        add(field(specifier, "name"));
    }
    const assignment = statement.type === "expression_statement" ? statement.firstNamedChild : null;
    if (assignment?.type !== "assignment_expression") continue;
    if (!/^(module\.)?exports\b/.test(fieldText(assignment, "left"))) continue;
    let value = field(assignment, "right");
    while (value?.type === "assignment_expression") value = field(value, "right");
    add(value);
    for (const entry of value?.type === "object" ? value.namedChildren : [])
      add(entry.type === "pair" ? field(entry, "value") : entry);
  }
  return names;
}
