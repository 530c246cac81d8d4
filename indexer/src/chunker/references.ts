/**
 * Places that use a name, from the captures of `indexer/queries/*.scm`:
 *
 * - `@call`, `@type`, `@inherit`: the name, with `@receiver` for what stands before it;
 * - `@macro`: a call, but of what the language brings along;
 * - `@token`: a name inside a macro's arguments, a call when `(` follows;
 * - `@definition`: a name that is defined here and thus no use of it, whatever else matches;
 * - `@parameter`: a type parameter, which names nothing outside the file.
 *
 * Where several meet at one name, `@inherit` says more than `@call`, and that more than `@type`; a receiver more than none.
 */
import type { ReferenceKind, SymbolReference } from "@dhi/core/chunk";
import type { GrammarName } from "@dhi/core/languages";
import type { QueryMatch } from "web-tree-sitter";
import type { OutlineItem } from "./outline.ts";
import type { LineAt } from "./symbols.ts";

/** Ordinary files have a reference per line; one with more is data, which calls the same few names. */
export const MAX_REFERENCES = 10_000;

/** A longer receiver is an expression, of which only the start is kept. */
const MAX_RECEIVER = 60;

export interface ReadFile {
  /** As it was parsed. */
  readonly text: string;
  readonly outline: readonly OutlineItem[];
  readonly grammar: GrammarName;
  readonly lineAt: LineAt;
}

/** @returns in the order of the text; the first {@link MAX_REFERENCES} of them */
export function referencesOf(
  matches: readonly QueryMatch[],
  { text, outline, grammar, lineAt }: ReadFile,
): SymbolReference[] {
  const { uses, parameters } = usesOf(matches, text);
  const enclosing = enclosingNames(outline);
  const ignored = builtIn[grammar];
  const references: SymbolReference[] = [];
  let before = "";
  for (const { start, end, kind, receiver } of [...uses.values()].sort((a, b) => a.start - b.start)) {
    const name = text.slice(start, end);
    const plain = receiver === undefined;
    if (plain && (ignored.has(name) || (kind === "type" && parameters.has(name)))) continue;
    if (references.length >= MAX_REFERENCES) break;
    const reference = {
      name,
      kind,
      line: lineAt(start),
      enclosing: enclosing(start),
      receiver: plain ? null : receiverText(text, receiver, start),
    };
    // `a() + a()` says it once.
    const key = `${name} ${kind} ${reference.line} ${reference.receiver} ${reference.enclosing}`;
    if (key !== before) references.push(reference);
    before = key;
  }
  return references;
}

interface Use {
  readonly start: number;
  readonly end: number;
  readonly kind: ReferenceKind;
  /** Where the receiver starts; it ends before the `.` or `::` in front of the name. */
  readonly receiver: number | undefined;
}

const RANK: Readonly<Record<ReferenceKind, number>> = { type: 0, call: 2, inherit: 4 };
const rankOf = ({ kind, receiver }: Use) => RANK[kind] + (receiver === undefined ? 0 : 1);

function usesOf(matches: readonly QueryMatch[], text: string) {
  /** By where the name starts. */
  const uses = new Map<number, Use>();
  const defined = new Set<number>();
  const parameters = new Set<string>();
  for (const { captures } of matches) {
    let [start, receiver]: (number | undefined)[] = [];
    let role = "";
    for (const { name, node } of captures) {
      if (name === "receiver") receiver = node.startIndex;
      else [start, role] = [node.startIndex, name];
    }
    if (start === undefined || role === "import") continue;
    const end = start + lengthOfName(text, start);
    // The parser invents what it misses, and in broken code takes signs for names.
    if (end === start) continue;
    if (role === "definition") defined.add(start);
    else if (role === "parameter") parameters.add(text.slice(start, end));
    else {
      if (role === "macro" && standardMacros.has(text.slice(start, end))) continue;
      const use = role === "token" ? tokenUse(text, start, end) : plainUse(start, end, role, receiver);
      const known = uses.get(start);
      if (use && (!known || rankOf(use) > rankOf(known))) uses.set(start, use);
    }
  }
  for (const start of defined) uses.delete(start);
  return { uses, parameters };
}

/** Every grammar has names of these; `#` starts a private one. Asking the node costs a call into WebAssembly. */
const NAME = /#?[\p{L}\p{N}\p{M}_$]*/uy;

function lengthOfName(text: string, start: number): number {
  NAME.lastIndex = start;
  return NAME.exec(text)?.[0].length ?? 0;
}

function plainUse(start: number, end: number, role: string, receiver: number | undefined): Use | undefined {
  const kind = role === "macro" ? "call" : role;
  return kind === "call" || kind === "type" || kind === "inherit"
    ? { start, end, kind, receiver }
    : undefined;
}

/** `model::total(` inside `assert_eq!(…)`: only the text tells. */
function tokenUse(text: string, start: number, end: number): Use | undefined {
  if (text[end] !== "(") return undefined;
  const before = /(?:\w+(?:::|\.))+$/.exec(text.slice(Math.max(0, start - MAX_RECEIVER), start))?.[0];
  return { start, end, kind: "call", receiver: before === undefined ? undefined : start - before.length };
}

/** In one line, without what says nothing about where it leads: `items[0]!?.` → `items[0]`. */
function receiverText(text: string, start: number, name: number): string {
  const whole = text.slice(start, Math.min(name, start + 4 * MAX_RECEIVER));
  const line = whole
    .replace(/\s+/g, " ")
    .replace(/ (?=\.)/g, "")
    .replace(/(\.|::) ?(new )?$/, "")
    .replace(/[!?]+(?=\.|$)/g, "");
  if (line.length <= MAX_RECEIVER) return line;
  return `${line.slice(0, MAX_RECEIVER - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** @returns for offsets that only grow: the innermost definition there, as `Invoice.total` */
function enclosingNames(outline: readonly OutlineItem[]): (offset: number) => string | null {
  const spans = spansOf(outline);
  const open: NamedSpan[] = [];
  let next = 0;
  return (offset) => {
    for (let span = spans[next]; span && span.start <= offset; span = spans[++next]) {
      closeBefore(open, span.start);
      open.push(span);
    }
    closeBefore(open, offset);
    return open.at(-1)?.name ?? null;
  };
}

interface NamedSpan {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

function closeBefore(open: NamedSpan[], offset: number): void {
  for (let last = open.at(-1); last && last.end <= offset; last = open.at(-1)) open.pop();
}

/** Outer before inner, and in the order of the text. */
function spansOf(outline: readonly OutlineItem[]): NamedSpan[] {
  return outline.flatMap(({ definitions: [definition], start, end, members, nested }) => {
    const name = [definition?.container, definition?.name].filter(Boolean).join(".");
    return [...(definition && name ? [{ start, end, name }] : []), ...spansOf(members), ...spansOf(nested)];
  });
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const ecmascript = words("require");

/** Many of them are names of functions too (`write`), which a call of the macro is none of. */
const standardMacros = words(`
  assert assert_eq assert_ne cfg concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format
  format_args include include_bytes include_str line matches module_path option_env panic print println stringify
  thread_local todo unimplemented unreachable vec write writeln`);

/** What the language brings along and thus no repository defines, where it is frequent enough to crowd the table. */
const builtIn: Readonly<Record<GrammarName, ReadonlySet<string>>> = {
  python: words("str int float bool bytes list dict set tuple object type len isinstance super"),
  typescript: ecmascript,
  tsx: ecmascript,
  javascript: ecmascript,
  go: words(`
    any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
    uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println
    real recover`),
  rust: words("Self Some Ok Err None Option Result Vec String Box"),
  java: words("String Object Override"),
};
