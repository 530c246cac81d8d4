/** Puts small neighbours together: imports, constants, overloads, a comment and what it stands above. */
import type { Piece } from "./piece.ts";
import type { SourceText } from "./source-text.ts";

/** Anything lighter joins its neighbours: an embedding of two lines says little, and each costs a model call. */
const SMALL_WEIGHT = 300;
/** Small neighbours stop joining here, so that one chunk does not speak of everything. */
const MERGED_WEIGHT = 1_000;

export function mergeSmall(source: SourceText, pieces: readonly Piece[]): Piece[] {
  return joinNeighbours(source, joinNeighbours(source, pieces, joinComment), joinSmall);
}

interface Sized {
  readonly piece: Piece;
  /** What has been joined out of small pieces goes on counting as small. */
  readonly small: boolean;
}

type Joined = Pick<Piece, "role" | "label" | "container">;

/** @returns what the two are together, or `undefined` when they stay apart */
type Join = (before: Sized, after: Sized, weight: number) => Joined | undefined;

function joinNeighbours(source: SourceText, pieces: readonly Piece[], join: Join): Piece[] {
  const joined: Sized[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const after = { piece, small: source.weight(piece.start, piece.end) < SMALL_WEIGHT };
    // A closing bracket ends its scope, which may have ended in the pieces of an inner one.
    const sameScope = before?.piece.scope === piece.scope || piece.role === "closing";
    const mayJoin = before && sameScope && source.fits(before.piece.start, piece.end);
    const together = mayJoin && join(before, after, source.weight(before.piece.start, piece.end));
    if (!together) joined.push(after);
    else
      joined[joined.length - 1] = {
        piece: { ...together, scope: piece.scope, start: before.piece.start, end: piece.end },
        small: before.small && after.small,
      };
  }
  return joined.map(({ piece }) => piece);
}

/** A comment that a blank line parts from what follows is still about that, or about the section it opens. */
const joinComment: Join = (before, { piece }) =>
  before.piece.role === "comment" && before.small && piece.role !== "part" ? piece : undefined;

const joinSmall: Join = (before, after, weight) => {
  const [a, b] = [before.piece, after.piece];
  if (b.role === "closing") return a;
  if (a.role === "part" || b.role === "part") return undefined;
  if (a.role === "imports" || b.role === "imports") return a.role === b.role ? a : undefined;
  // TypeScript's overloads, a getter and its setter, one function per platform.
  const sameName = a.label?.name && a.label.name === b.label?.name && a.label.kind === b.label.kind;
  if (sameName && (before.small || after.small)) return a;
  if (!after.small || weight > MERGED_WEIGHT) return undefined;
  // A class is described by its fields and its docstring as much as by its first line.
  if (a.role === "header") return b.label && b.label.kind !== "variable" ? undefined : a;
  return before.small ? { role: "code", label: null, container: a.scope.container } : undefined;
};
