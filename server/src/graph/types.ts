/**
 * Types as they are stored: a generic type once, with its parameters, and each instance with its arguments. What a member
 * of `Map<string, Invoice>` returns is found by following `V` to `Invoice`, as TypeScript would by substituting it.
 */
import { type IndexDb, prepared } from "@dhi/core/index-db";

/** A type, and what the type parameters in it stand for. */
export interface TypeRef {
  readonly id: number;
  readonly bindings: Bindings;
}

type Bindings = ReadonlyMap<number, Binding>;

interface Binding {
  readonly text: string;
  /** `undefined` for a type without members. */
  readonly ref: TypeRef | undefined;
}

export interface TypeMember {
  readonly name: string;
  readonly kind: "property" | "method";
  readonly signature: string;
  readonly access: "private" | "protected" | null;
  /** Workspace file of the type. */
  readonly declaredIn: string | null;
  /** Type of a property; what a method returns. */
  readonly result: TypeRef | undefined;
}

export interface Types {
  /** A type of TypeScript's library, such as `string`. */
  library(name: string): { text: string; ref: TypeRef; isCallable: false } | undefined;
  text(ref: TypeRef): string;
  members(ref: TypeRef): TypeMember[];
  returned(ref: TypeRef): TypeRef | undefined;
  constructed(ref: TypeRef | undefined): TypeRef | undefined;
  element(ref: TypeRef): TypeRef | undefined;
  /** What a promise holds; anything else is itself. */
  awaited(ref: TypeRef): TypeRef | undefined;
}

interface TypeRow {
  readonly id: number;
  readonly key: string;
  readonly text: string;
  readonly path: string | null;
  readonly target: number | null;
  /** JSON */
  readonly args: string | null;
  /** JSON */
  readonly params: string | null;
  readonly returns: number | null;
  readonly constructs: number | null;
  readonly element: number | null;
}

interface MemberRow extends Omit<TypeMember, "result" | "declaredIn"> {
  readonly resultId: number | null;
}

const COLUMNS = `id, key, text, path, target_id AS target, args, params, returns_id AS returns,
  constructs_id AS constructs, element_id AS element`;
/** A parameter may stand for another one; more are a circle. */
const MAX_STEPS = 8;

export function createTypes(db: IndexDb): Types {
  const row = (id: number) =>
    prepared<[number], TypeRow>(db, `SELECT ${COLUMNS} FROM types WHERE id = ?`).get(id);
  const rowByKey = (key: string) =>
    prepared<[string], TypeRow>(db, `SELECT ${COLUMNS} FROM types WHERE key = ?`).get(key);

  /** The type behind parameters, and the generic type behind an instance, with what its parameters stand for. */
  function resolve(ref: TypeRef, steps = 0): { type: TypeRow; bindings: Bindings } | undefined {
    const type = steps < MAX_STEPS ? row(ref.id) : undefined;
    if (!type) return undefined;
    const bound = ref.bindings.get(type.id);
    if (bound) return bound.ref && resolve(bound.ref, steps + 1);
    if (type.target === null) return { type, bindings: ref.bindings };
    const target = row(type.target);
    if (!type.args || !target) return resolve({ id: type.target, bindings: ref.bindings }, steps + 1);
    return { type: target, bindings: bind(target, argumentsOf(type), ref.bindings) };
  }

  function bind(target: TypeRow, args: readonly StoredArgument[], outer: Bindings): Bindings {
    const bindings = new Map<number, Binding>();
    parametersOf(target).forEach((parameter, i) => {
      const [id, text] = args[i] ?? [null, "any"];
      const ref = id === null ? undefined : { id, bindings: outer };
      bindings.set(parameter, { text: substituted(text, outer), ref });
    });
    return bindings;
  }

  /** @param text with the names of type parameters in it */
  function substituted(text: string, bindings: Bindings): string {
    const meant = new Map([...bindings].map(([id, binding]) => [row(id)?.text ?? "", binding.text]));
    meant.delete("");
    if (meant.size === 0) return text;
    const names = [...meant.keys()].map((name) => name.replaceAll("$", "\\$")).join("|");
    // Not as a property (`T: string`), and not as part of a longer name.
    const pattern = new RegExp(`(?<![\\w$.])(?:${names})(?![\\w$:?])(\\[\\])?`, "g");
    return text.replaceAll(pattern, (found, brackets: string | undefined) => {
      const name = brackets ? found.slice(0, -brackets.length) : found;
      const type = meant.get(name) ?? name;
      return brackets && /[|&]|=>/.test(type) ? `(${type})${brackets}` : `${type}${brackets ?? ""}`;
    });
  }

  function follow(ref: TypeRef, edge: "returns" | "constructs" | "element"): TypeRef | undefined {
    const found = resolve(ref);
    const id = found?.type[edge];
    return found && id != null ? { id, bindings: found.bindings } : undefined;
  }

  return {
    library(name) {
      const type = rowByKey(`lib#${name}`);
      return (
        type && { text: type.text || name, ref: { id: type.id, bindings: new Map() }, isCallable: false }
      );
    },
    text(ref) {
      const type = row(ref.id);
      const bound = type && ref.bindings.get(type.id);
      return bound ? bound.text : substituted(type?.text ?? "any", ref.bindings);
    },
    members(ref) {
      const found = resolve(ref);
      if (!found) return [];
      const { type, bindings } = found;
      const rows = prepared<[number], MemberRow>(
        db,
        `SELECT name, kind, signature, access, result_id AS resultId FROM type_members
          WHERE type_id = ? ORDER BY ordinal`,
      ).all(type.id);
      return rows.map(({ resultId, ...member }) => ({
        ...member,
        signature: substituted(member.signature, bindings),
        declaredIn: type.path,
        result: resultId === null ? undefined : { id: resultId, bindings },
      }));
    },
    returned: (ref) => follow(ref, "returns"),
    constructed: (ref) => ref && follow(ref, "constructs"),
    element: (ref) => follow(ref, "element"),
    awaited(ref) {
      const found = resolve(ref);
      const [parameter] = found ? parametersOf(found.type) : [];
      if (!found || parameter === undefined || !PROMISES.has(found.type.key)) return ref;
      return found.bindings.get(parameter)?.ref;
    },
  };
}

const PROMISES: ReadonlySet<string> = new Set(["lib#Promise", "lib#PromiseLike"]);

/** Id, or null for a type without members, and text. */
type StoredArgument = readonly [number | null, string];
const argumentsOf = ({ args }: TypeRow): StoredArgument[] => JSON.parse(args ?? "[]");
const parametersOf = ({ params }: TypeRow): number[] => JSON.parse(params ?? "[]");
