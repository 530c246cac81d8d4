/** Syntax → chunks of whole definitions. */
import type { Chunk } from "@dhi/core/chunk";
import { mergeSmall } from "./merge-small.ts";
import type { Definition, OutlineItem } from "./outline.ts";
import type { Label, Piece, PieceScope } from "./piece.ts";
import { MAX_CHUNK_WEIGHT, type SourceText } from "./source-text.ts";
import { splitRange } from "./split.ts";
import { statementDepths } from "./statement-depths.ts";

/**
 * Definitions that fit stay whole. A class that does not becomes a header and its members, other code is cut between
 * statements, and small neighbours are put together.
 *
 * @returns chunks that, concatenated, are the text
 */
export function chunkSource(source: SourceText, outline: readonly OutlineItem[]): Chunk[] {
  const file = {
    isFile: true,
    start: 0,
    end: source.text.length,
    label: null,
    outerContainer: null,
    container: null,
  };
  return mergeSmall(source, piecesOf(source, outline, file)).map(
    ({ start, end, role, label, container }) => ({
      kind: label?.kind ?? (role === "imports" ? "imports" : "block"),
      name: label?.name ?? null,
      container,
      signature: label?.signature ?? null,
      startLine: source.lineAt(start),
      endLine: source.lineAt(end - 1),
      text: source.text.slice(start, end),
    }),
  );
}

function piecesOf(source: SourceText, items: readonly OutlineItem[], scope: PieceScope): Piece[] {
  const units = unitsOf(source, items, scope);
  const membersStart = units[0]?.start ?? scope.end;
  const membersEnd = units.at(-1)?.end ?? scope.end;
  return [
    ...cut(source, { start: scope.start, end: membersStart, items: [], role: "header", scope }),
    ...units.flatMap((unit) => unitPieces(source, unit, scope)),
    ...cut(source, { start: membersEnd, end: scope.end, items: [], role: "closing", scope }),
  ];
}

interface Unit {
  readonly start: number;
  readonly end: number;
  /** Most hold one; items that share a line cannot be parted. */
  readonly items: readonly OutlineItem[];
}

/** Each unit reaches to the line on which the next one starts, so blank lines stay with what they follow. */
function unitsOf(source: SourceText, items: readonly OutlineItem[], scope: PieceScope): Unit[] {
  const groups: { start: number; items: OutlineItem[] }[] = [];
  let written = scope.start;
  for (const item of items) {
    const lineStart = source.lineStart(item.start);
    const group = groups.at(-1);
    if (group && lineStart < written) group.items.push(item);
    else groups.push({ start: Math.max(lineStart, scope.start), items: [item] });
    written = Math.max(written, item.end);
  }
  if (groups[0] && scope.isFile) groups[0].start = scope.start;
  const nextLine = Math.min(source.lineStarts[source.lineAt(written)] ?? scope.end, scope.end);
  const lastEnd = source.weight(nextLine, scope.end) > 0 ? nextLine : scope.end;
  return groups.map(({ start, items }, i) => ({ start, items, end: groups[i + 1]?.start ?? lastEnd }));
}

function unitPieces(source: SourceText, unit: Unit, scope: PieceScope): Piece[] {
  const { start, end, items } = unit;
  const [item] = items;
  const hasParts = item !== undefined && items.length === 1 && item.members.length > 0;
  if (source.fits(start, end) || !hasParts)
    return cut(source, { start, end, items, scope, role: roleOf(unit) });
  const [definition] = item.definitions;
  const inside = definition ? [definition.container, definition.name] : [scope.container];
  return piecesOf(source, item.members, {
    isFile: false,
    start,
    end,
    label: labelOf(items),
    outerContainer: definition?.container ?? scope.container,
    container: inside.filter(Boolean).join(".") || null,
  });
}

function roleOf({ items }: Unit): Piece["role"] {
  const role = items[0]?.role ?? "code";
  return items.every((item) => item.role === role) ? role : "code";
}

interface Cut extends Unit {
  readonly role: Piece["role"];
  readonly scope: PieceScope;
}

/** One piece when it fits, else parts that all carry its label. */
function cut(source: SourceText, { start, end, items, role, scope }: Cut): Piece[] {
  if (start === end) return [];
  const isHeader = role === "header" || (start === scope.start && !scope.isFile);
  const label = isHeader ? scope.label : labelOf(items);
  const container = isHeader ? scope.outerContainer : containerOf(items, scope);
  if (source.fits(start, end))
    return [{ start, end, role: isHeader ? "header" : role, label, container, scope }];
  const depths = items.map((item) => statementDepths(source, item.node));
  const depthOf = (line: number) =>
    depths.find((map) => map.has(line))?.get(line) ?? Number.POSITIVE_INFINITY;
  const ends = splitRange(source, start, end, { goal: MAX_CHUNK_WEIGHT, depthOf });
  return ends.map((to, i) => ({
    start: ends[i - 1] ?? start,
    end: to,
    role: "part",
    label,
    container,
    scope,
  }));
}

/** Of the one definition there; several of a kind share that kind. */
function labelOf(items: readonly OutlineItem[]): Label | null {
  const definitions = items.flatMap(definitionsOf);
  const [first] = definitions;
  if (!first) return null;
  if (definitions.length === 1) return { kind: first.kind, name: first.name, signature: first.signature };
  return definitions.every((d) => d.kind === first.kind)
    ? { kind: first.kind, name: null, signature: null }
    : null;
}

/** A list of definitions is named by them; code that only holds some, such as an object of methods, is not. */
function definitionsOf({ definitions, members, role }: OutlineItem): readonly Definition[] {
  return definitions.length > 0 || role !== "definition" ? definitions : members.flatMap(definitionsOf);
}

function containerOf(items: readonly OutlineItem[], scope: PieceScope): string | null {
  const [definition] = items.flatMap(definitionsOf);
  return definition ? definition.container : scope.container;
}
