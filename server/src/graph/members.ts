/**
 * What can follow `expression.`, and how an imported name is declared: from what TypeScript's language service has found
 * (see `typed_names`, `types`, `type_members`), else guessed from the class that the text names.
 */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import { readExpression, type Step } from "./expression.ts";
import { guessMembers } from "./guess-members.ts";
import { createTypes, type TypeMember, type TypeRef } from "./types.ts";

export interface Place {
  /** Relative to the workspace. */
  readonly path: string;
  readonly expression: string;
  /** 1-based; where the expression stands. Editing may have moved it since the file was looked at. */
  readonly line: number;
}

export interface Member {
  readonly name: string;
  readonly kind: string;
  /** One line: `total(tax: number): number`. */
  readonly signature: string;
}

export interface Members {
  /** As TypeScript writes it; the name of the class when it is a guess; `null` when nothing is known. */
  readonly type: string | null;
  readonly from: "typescript" | "symbols" | "nothing";
  /** Empty also for a type without members. */
  readonly members: readonly Member[];
}

export function membersAt(db: IndexDb, place: Place): Members {
  const value = valueAt(db, place);
  if (value) {
    const members = value.ref && !value.isCallable ? createTypes(db).members(value.ref) : [];
    const visible = members.filter((m) => m.access === null || m.declaredIn === place.path);
    return {
      ...{ type: value.text, from: "typescript" },
      members: visible.map(({ name, kind, signature }) => ({ name, kind, signature })),
    };
  }
  return guessMembers(db, place) ?? { type: null, from: "nothing", members: [] };
}

/** @returns how the name is declared, also in another file; `undefined` for a plain value and an unknown name */
export function signatureOf(db: IndexDb, { path, name }: { path: string; name: string }): string | undefined {
  return (
    prepared<[string, string], { signature: string }>(
      db,
      "SELECT signature FROM typed_names WHERE path = ? AND name = ? AND signature IS NOT NULL ORDER BY line",
    ).get(path, name)?.signature ?? undefined
  );
}

/** The value of an expression. */
interface Value {
  readonly text: string;
  /** Its type; of what can be called and has no members, the type that a call returns. `undefined` without members. */
  readonly ref: TypeRef | undefined;
  readonly isCallable: boolean;
}

/** @returns `undefined` when its first name is not known */
function valueAt(db: IndexDb, { path, expression, line }: Place): Value | undefined {
  const read = readExpression(expression);
  if (!read) return undefined;
  const types = createTypes(db);
  const { kind, name } = read.root;
  const first = kind === "literal" ? types.library(name) : nameAt(db, path, name, line);
  if (!first) return undefined;
  let value: Value | undefined = first;
  for (const step of read.steps) value = value && after(value, step);
  // What is known to lead nowhere is no reason to guess.
  return value ?? { text: "any", ref: undefined, isCallable: false };

  function ofType(ref: TypeRef | undefined): Value | undefined {
    return ref && { text: types.text(ref), ref, isCallable: false };
  }
  function after({ ref, isCallable }: Value, step: Step): Value | undefined {
    if (!ref) return undefined;
    if (step.kind === "call") return ofType(isCallable ? ref : types.returned(ref));
    if (isCallable) return undefined;
    if (step.kind === "new") return ofType(types.constructed(ref));
    if (step.kind === "await") return ofType(types.awaited(ref));
    if (step.kind === "element") return ofType(types.element(ref));
    const member = types.members(ref).find((m) => m.name === step.name);
    return member && { text: typeOf(member), ref: member.result, isCallable: member.kind === "method" };
  }
}

/** `total: number` → `number`; of a method its signature, which says more than `(tax: number) => number`. */
const typeOf = ({ kind, name, signature }: TypeMember): string =>
  kind === "method" ? signature : signature.slice(name.length).replace(/^\??: /, "");

interface NameRow {
  readonly kind: string;
  readonly line: number;
  readonly endLine: number;
  readonly type: string;
  readonly typeId: number | null;
}

function nameAt(db: IndexDb, path: string, name: string, line: number): Value | undefined {
  const rows = prepared<[string, string], NameRow>(
    db,
    `SELECT kind, line, end_line AS endLine, type, type_id AS typeId FROM typed_names
      WHERE path = ? AND name = ? ORDER BY line, ordinal`,
  ).all(path, name);
  // The innermost scope begins last. Where editing moved the lines, the nearest one above; above them all, the first.
  const row =
    rows.findLast((r) => r.line <= line && line <= r.endLine) ??
    rows.findLast((r) => r.line <= line) ??
    rows[0];
  return (
    row && {
      text: row.type,
      ref: row.typeId === null ? undefined : { id: row.typeId, bindings: new Map() },
      isCallable: row.kind === "function",
    }
  );
}
