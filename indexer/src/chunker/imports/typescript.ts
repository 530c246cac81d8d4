/** TypeScript, TSX and JavaScript, CommonJS included. */
import type { Node } from "web-tree-sitter";
import { childOfType, field, fieldText } from "../grammar.ts";
import type { ReadImport } from "./statement.ts";

/**
 * Besides imports, what the file exports under another name than its own: `export { a as b }`, `export default main`,
 * `module.exports = { b: a }`. That reads as an import from itself, whose specifier is empty.
 */
export function typescriptImports(nodes: readonly Node[]): ReadImport[] {
  const read = nodes.flatMap(readNode);
  const imported = new Map<string, ReadImport>();
  for (const one of read) if (one.specifier && one.local && !one.exported) imported.set(one.local, one);
  return read.flatMap((one) => {
    if (one.specifier) return [one];
    const { node, name, local } = one;
    const source = imported.get(name);
    // `import { a } from "./m"; export { a as b }` is `export { a as b } from "./m"`.
    if (source) return [{ ...source, node, local, exported: true }];
    return name === local ? [] : [one];
  });
}

function readNode(node: Node): ReadImport[] {
  switch (node.type) {
    case "import_statement":
      return importStatement(node);
    case "export_statement":
      return exportStatement(node);
    case "assignment_expression":
      return commonJsExports(node);
    default:
      return loaded(node);
  }
}

function importStatement(node: Node): ReadImport[] {
  const required = childOfType(node, "import_require_clause");
  if (required)
    return [found(node, { source: required, name: "*", local: required.firstNamedChild?.text ?? "" })];
  if (!field(node, "source")) return [];
  const clause = childOfType(node, "import_clause");
  if (!clause) return [found(node, { source: node, name: "", local: "" })];
  return clause.namedChildren.flatMap((part) => {
    if (part.type === "identifier") return [found(part, { source: node, name: "default", local: part.text })];
    if (part.type === "namespace_import")
      return [found(part, { source: node, name: "*", local: part.firstNamedChild?.text ?? "" })];
    return specifiers(part).map((names) => found(names.node, { source: node, ...names }));
  });
}

/** Most exports are declarations; asking their nodes would take longer than reading all imports. */
const EXPORTS_A_NAME = /^(?:@|export\s*(?:default\b|type\s*[{*]|[{*=]))/;

function exportStatement(node: Node): ReadImport[] {
  if (!EXPORTS_A_NAME.test(node.text)) return [];
  const source = field(node, "source") ? node : undefined;
  const exported = true;
  const clause = childOfType(node, "export_clause");
  if (clause) return specifiers(clause).map((names) => found(names.node, { source, ...names, exported }));
  const namespace = childOfType(node, "namespace_export");
  if (source) {
    const local = namespace?.firstNamedChild?.text ?? "";
    return [found(node, { source, name: "*", local, exported })];
  }
  const isDefault = node.children.some((child) => child.type === "default" || child.type === "=");
  const value = field(node, "value") ?? field(node, "declaration") ?? node.lastNamedChild;
  const name = value?.type === "identifier" ? value.text : value ? fieldText(value, "name") : "";
  return isDefault && name ? [found(node, { source, name, local: "default", exported })] : [];
}

interface Names {
  readonly node: Node;
  readonly name: string;
  readonly local: string;
}

function specifiers(clause: Node): Names[] {
  return clause.namedChildren.flatMap((node) => {
    const name = unquoted(fieldText(node, "name"));
    return name ? [{ node, name, local: unquoted(fieldText(node, "alias")) || name }] : [];
  });
}

/** `module.exports = f`, `= { a, b: c }`, `exports.a = b`; each may hold `require(…)`, which is read on its own. */
function commonJsExports(node: Node): ReadImport[] {
  let value = field(node, "right");
  while (value?.type === "assignment_expression") value = field(value, "right");
  const target = exportTarget(node);
  if (target === undefined || !value) return [];
  const entry = (name: string, local: string) => found(node, { name, local, exported: true });
  if (target !== "default" || value.type !== "object")
    return value.type === "identifier" ? [entry(value.text, target)] : [];
  return value.namedChildren.flatMap((pair) => {
    const to = field(pair, "value");
    if (pair.type === "shorthand_property_identifier") return [entry(pair.text, pair.text)];
    return to?.type === "identifier" ? [entry(to.text, unquoted(fieldText(pair, "key")))] : [];
  });
}

/** The name under which an assignment exports: `default` for `module.exports` itself. */
function exportTarget(node: Node | null): string | undefined {
  if (node?.type !== "assignment_expression") return undefined;
  const [, name] = /^(?:module\.exports|exports)(?:\.([\w$]+))?$/.exec(fieldText(node, "left")) ?? [
    undefined,
    "",
  ];
  if (name === "") return exportTarget(field(node, "right"));
  return name ?? "default";
}

/** `require("m")` and `import("m")`, with what becomes of them. */
function loaded(call: Node): ReadImport[] {
  const source = field(call, "arguments");
  if (source?.firstNamedChild?.type !== "string") return [];
  let value = call;
  let isPromise = field(call, "function")?.type === "import";
  const members: string[] = [];
  for (let outer = call.parent; outer; outer = outer.parent) {
    if (outer.type === "await_expression") isPromise = false;
    else if (!isPromise && outer.type === "member_expression" && field(outer, "object")?.id === value.id)
      members.push(fieldText(outer, "property"));
    else if (outer.type !== "parenthesized_expression")
      return bound(outer, value, members).map((names) => found(call, { source, ...names }));
    value = outer;
  }
  return [];
}

type Bound = Pick<ReadImport, "name" | "local" | "exported">;

function bound(outer: Node, value: Node, [member]: readonly string[]): Bound[] {
  const name = member ?? "*";
  const nothing = { name: member ?? "", local: "", exported: false };
  const target = exportTarget(outer);
  // Everything that `module.exports = require("./lib")` holds is this file's too.
  if (target !== undefined)
    return [{ name, local: target === "default" && name === "*" ? "" : target, exported: true }];
  if (outer.type !== "variable_declarator" || field(outer, "value")?.id !== value.id) return [nothing];
  const pattern = field(outer, "name");
  if (pattern?.type === "identifier") return [{ name, local: pattern.text, exported: false }];
  if (pattern?.type !== "object_pattern" || member !== undefined) return [nothing];
  return pattern.namedChildren.flatMap((part) => {
    const inner = field(part, "value") ?? field(part, "left") ?? part;
    const local = (field(inner, "left") ?? inner).text;
    const key = field(part, "key")?.text ?? local;
    return part.type === "rest_pattern" ? [] : [{ name: key, local, exported: false }];
  });
}

interface Found {
  /** The node whose string says where from; `undefined`: this file itself. */
  readonly source?: Node | undefined;
  readonly name: string;
  readonly local: string;
  readonly exported?: boolean;
}

function found(node: Node, { source, name, local, exported = false }: Found): ReadImport {
  const string = source && (field(source, "source") ?? childOfType(source, "string"));
  return { node, specifier: unquoted(string?.text ?? ""), name, local, exported };
}

const unquoted = (text: string): string => text.replace(/^(["'`])(.*)\1$/s, "$2");
