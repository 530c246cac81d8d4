/** A syntax tree read as what a person sees in it: definitions with their comments, imports, and code between them. */
import type { ChunkKind } from "@dhi/core/chunk";
import type { Node } from "web-tree-sitter";
import { type DefinitionRule, field, fieldText, type Grammar } from "./grammar.ts";
import { leadingWords, signatureOf } from "./signature.ts";

export interface Definition {
  /** `null` for what has none, such as `export default function () {}`. */
  readonly name: string | null;
  readonly kind: ChunkKind;
  readonly signature: string;
  readonly container: string | null;
  readonly exported: boolean;
  /** Only holds members of what is defined elsewhere (Rust's `impl`), so looking up its name must not find it. */
  readonly reopens: boolean;
}

/** One child of a scope (the file, a class body) in the order of the text. Offsets are UTF-16 units. */
export interface OutlineItem {
  readonly role: "definition" | "imports" | "comment" | "code";
  /** Start of the comments and decorators that belong to it. */
  readonly start: number;
  /** After a comment behind it on its last line. */
  readonly end: number;
  readonly node: Node;
  /** What it defines: `const { a, b } = …` defines two; nothing for code, and for a list, whose members define. */
  readonly definitions: readonly Definition[];
  /** Of a class, an interface, a namespace; the single ones of a list such as Go's `const (…)`. */
  readonly members: readonly OutlineItem[];
  /** Definitions inside the code of its body. */
  readonly nested: readonly OutlineItem[];
  /** What the code of its body defines outside of it: the fields that a constructor makes. */
  readonly fields: readonly OutlineItem[];
}

export function readOutline(root: Node, text: string, grammar: Grammar): OutlineItem[] {
  const reader: Reader = {
    text,
    grammar,
    exportedNames: grammar.exportedNames?.(root) ?? new Set(),
    searched: { start: 0, end: 0, nodes: [] },
  };
  return readItems(reader, root.namedChildren, {
    container: null,
    parent: undefined,
    exported: true,
    local: false,
  });
}

interface Reader {
  readonly text: string;
  readonly grammar: Grammar;
  readonly exportedNames: ReadonlySet<string>;
  /** The range that was last searched for nodes of a `nested` type, and those in it, in order. */
  searched: { readonly start: number; readonly end: number; readonly nodes: readonly Node[] };
}

interface Scope {
  readonly container: string | null;
  /** The definition whose body this is. */
  readonly parent: Node | undefined;
  readonly exported: boolean;
  /** Inside a function: its variables are no definitions, and nothing is visible outside. */
  readonly local: boolean;
  /** When the definitions are parts of one declaration. */
  readonly list?: DefinitionList | undefined;
}

interface DefinitionList {
  /** What it says before the first of them: `export const`. */
  readonly words: string;
  /** From its outermost wrapper to itself. */
  readonly path: readonly Node[];
}

function readItems(reader: Reader, nodes: readonly Node[], scope: Scope): OutlineItem[] {
  const { text, grammar } = reader;
  const items: OutlineItem[] = [];
  let notes: Node[] = [];
  const flush = () => {
    const [first, last] = [notes[0], notes.at(-1)];
    if (first && last)
      items.push(itemOf({ node: first, start: first.startIndex, end: endOf(text, last) }, "comment"));
    notes = [];
  };
  for (const node of nodes) {
    const previous = notes.at(-1);
    if (previous && !belongTogether(reader, previous, node)) flush();
    if (!isNote(grammar, node)) {
      items.push(readItem(reader, node, notes[0]?.startIndex ?? node.startIndex, scope));
      notes = [];
      continue;
    }
    const before = items.at(-1);
    if (before && notes.length === 0 && !text.slice(before.end, node.startIndex).includes("\n"))
      items[items.length - 1] = { ...before, end: endOf(text, node) };
    else notes.push(node);
  }
  flush();
  return items;
}

type Found = Partial<Pick<OutlineItem, "definitions" | "members" | "nested" | "fields">>;

/** Spelled out: spreading an object into another takes longer than reading the syntax tree. */
function itemOf(place: Place, role: OutlineItem["role"], found: Found = {}): OutlineItem {
  const { definitions = NONE, members = NONE, nested = NONE, fields = NONE } = found;
  return { role, start: place.start, end: place.end, node: place.node, definitions, members, nested, fields };
}

/** An item before it is known what it is. */
type Place = Pick<OutlineItem, "start" | "end" | "node">;

const NONE: readonly never[] = [];

function isNote({ comments, attributes }: Grammar, { type }: Node): boolean {
  return comments.has(type) || attributes.has(type);
}

/** A decorator always belongs to what follows, a comment unless a blank line parts them. */
function belongTogether({ text, grammar }: Reader, note: Node, next: Node): boolean {
  if (grammar.attributes.has(note.type)) return true;
  return !/\n\s*\n/.test(text.slice(endOf(text, note), next.startIndex));
}

/** Some grammars count the line break behind a comment as part of it. */
function endOf(text: string, node: Node): number {
  const { startIndex, endIndex } = node;
  if (text.charCodeAt(endIndex - 1) > 0x20) return endIndex;
  return startIndex + (text.slice(startIndex, endIndex).trimEnd().length || endIndex - startIndex);
}

function readItem(reader: Reader, node: Node, start: number, scope: Scope): OutlineItem {
  const { text, grammar } = reader;
  const place = { node, start, end: endOf(text, node) };
  if (grammar.isImport(node)) return itemOf(place, "imports");
  const path = scope.list ? [...scope.list.path, node] : unwrap(grammar, node);
  const target = path.at(-1) ?? node;
  const rule = grammar.definitions[target.type];
  if (!rule) return readCode(reader, place, scope);
  if (rule.list) return readList(reader, place, path, rule.list, scope);

  const body = rule.body ? rule.body(target) : field(target, "body");
  const definitions = definitionsOf(reader, { target, rule, body, path }, scope);
  if (scope.local && definitions.every((d) => d.kind === "variable"))
    return itemOf(place, "code", { nested: nestedIn(reader, target, scope) });
  const inner = insideOf(definitions[0], target, scope);
  const holder = rule.members?.(target);
  return itemOf(place, definitions.length > 0 ? "definition" : "code", {
    definitions,
    members: holder ? readItems(reader, membersOf(grammar, holder), inner) : NONE,
    nested: holder ? NONE : nestedIn(reader, body ?? target, inner),
    fields: rule.fields ? readItems(reader, rule.fields(target), rule.members ? inner : scope) : NONE,
  });
}

/** What defines nothing itself: a statement, or one whose own statements stand in the same scope. */
function readCode(reader: Reader, place: Place, scope: Scope): OutlineItem {
  const statements = scope.local ? undefined : reader.grammar.blockStatements?.(place.node);
  if (!statements) return itemOf(place, "code", { nested: nestedIn(reader, place.node, scope) });
  const members = readItems(reader, statements, scope);
  const onlyImports = members.length > 0 && members.every((member) => member.role === "imports");
  return itemOf(place, onlyImports ? "imports" : "code", { members });
}

/** `const a = 1, b = 2`: several definitions side by side, or just the one. */
function readList(
  reader: Reader,
  place: Place,
  path: readonly Node[],
  types: ReadonlySet<string>,
  scope: Scope,
): OutlineItem {
  const { text, grammar } = reader;
  const list = path.at(-1) ?? place.node;
  const children = childrenOf(grammar, list).filter((c) => types.has(c.type) || isNote(grammar, c));
  const first = children.find((c) => types.has(c.type));
  const words = first ? leadingWords(text, grammar, list, first) : "";
  const members = readItems(reader, children, { ...scope, list: { words, path } });
  const [only] = members;
  if (only && members.length === 1) return itemOf(place, only.role, only);
  return itemOf(place, members.some((m) => m.role === "definition") ? "definition" : "code", { members });
}

/** From the outermost wrapper to the declaration inside; just the node when it wraps none. */
function unwrap(grammar: Grammar, node: Node): Node[] {
  if (!grammar.wrappers.has(node.type)) return [node];
  const inner = node.namedChildren.find(
    ({ type }) => type in grammar.definitions || grammar.wrappers.has(type),
  );
  return inner ? [node, ...unwrap(grammar, inner)] : [node];
}

function childrenOf(grammar: Grammar, node: Node): Node[] {
  if (grammar.transparent.size === 0) return node.namedChildren;
  return node.namedChildren.flatMap((child) =>
    grammar.transparent.has(child.type) ? childrenOf(grammar, child) : [child],
  );
}

/** A class's docstring is no member: it stays with the header. */
function membersOf(grammar: Grammar, holder: Node): Node[] {
  return childrenOf(grammar, holder).filter((child) => !grammar.isDocstring?.(child));
}

interface DefinitionNode {
  readonly target: Node;
  readonly rule: DefinitionRule;
  readonly body: Node | null;
  readonly path: readonly Node[];
}

function definitionsOf(
  { text, grammar, exportedNames }: Reader,
  { target, rule, body, path }: DefinitionNode,
  { container, parent, exported, local, list }: Scope,
): Definition[] {
  // The parser invents what it misses, and that has no text.
  const names = rule.names
    ? rule.names(target).filter((name) => name !== "")
    : [fieldText(target, "name") || null];
  if (names.length === 0) return [];
  const kind = typeof rule.kind === "function" ? rule.kind(target, parent) : rule.kind;
  const signature = signatureOf(text, grammar, { words: list?.words ?? "", node: target, body });
  const site = { node: target, path, parent, signature, exportedNames };
  return names.map((name) => ({
    name,
    kind,
    signature,
    container: rule.container?.(target) ?? container,
    exported: exported && !local && grammar.isExported({ name: name ?? "", ...site }),
    reopens: rule.reopens?.(target) ?? false,
  }));
}

/** The scope of what is inside a definition. */
function insideOf(definition: Definition | undefined, parent: Node, scope: Scope): Scope {
  const { local } = scope;
  if (!definition) return { container: scope.container, parent, exported: scope.exported, local };
  const { container, name, exported } = definition;
  return {
    container: container && name ? `${container}.${name}` : (name ?? container),
    parent,
    exported,
    local,
  };
}

/** Definitions anywhere inside the node's code. Those inside another of them are found by reading that one. */
function nestedIn(reader: Reader, node: Node, scope: Scope): OutlineItem[] {
  const { text, grammar } = reader;
  const end = node.endIndex;
  if (!grammar.mayNest(text.slice(node.startIndex, end))) return [];
  const items: OutlineItem[] = [];
  let readUntil = node.startIndex;
  const nodes = nestedNodes(reader, node, end);
  for (let i = firstAfter(nodes, node); i < nodes.length; i++) {
    const inner = nodes[i];
    if (!inner || inner.startIndex >= end) break;
    if (inner.id === node.id || inner.startIndex < readUntil) continue;
    const outermost = climb(grammar, inner);
    const item = readItem(reader, outermost, startWithNotes(reader, outermost), {
      container: scope.container,
      parent: undefined,
      exported: false,
      local: true,
    });
    readUntil = inner.endIndex;
    if (item.role === "definition") items.push(item);
    else items.push(...item.nested);
  }
  return items;
}

/** Searched once for what a definition holds, however deep that nests. */
function nestedNodes(reader: Reader, node: Node, end: number): readonly Node[] {
  const { start, end: searchedEnd, nodes } = reader.searched;
  if (start <= node.startIndex && end <= searchedEnd) return nodes;
  const found = node.descendantsOfType([...reader.grammar.nested]);
  reader.searched = { start: node.startIndex, end, nodes: found };
  return found;
}

/** Index of the first node that starts where `node` does or later. */
function firstAfter(nodes: readonly Node[], node: Node): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.startIndex ?? 0) < node.startIndex) low = middle + 1;
    else high = middle;
  }
  return low;
}

function climb(grammar: Grammar, node: Node): Node {
  const { parent } = node;
  return parent && grammar.wrappers.has(parent.type) ? climb(grammar, parent) : node;
}

function startWithNotes(reader: Reader, node: Node): number {
  let first = node;
  for (let above = node.previousNamedSibling; above; above = above.previousNamedSibling) {
    if (!isNote(reader.grammar, above) || !belongTogether(reader, above, first)) break;
    first = above;
  }
  return first.startIndex;
}
