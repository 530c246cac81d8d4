/**
 * Gives every type a key that says what it is, and gathers the members of those that were not gathered before.
 *
 * A type of the workspace is gathered with all it leads to. One of a package or of TypeScript's library is gathered when
 * something in the workspace has it, and what its members lead to once more, not further: whole libraries would follow.
 */
import { createHash } from "node:crypto";
import ts from "typescript";
import type { MemberFacts, TypeArgument, TypeFacts } from "./facts.ts";
import type { Places } from "./place.ts";
import type { TypeMemory } from "./type-memory.ts";
import { parametersText, typeText } from "./type-text.ts";

export interface TypeCollector {
  /** @returns `undefined` for a type without members, such as `any` */
  keyOf(type: ts.Type): string | undefined;
  /** What was gathered for the keys that were asked for, and what they lead to. */
  take(): TypeFacts[];
}

export interface TypeCollectorDeps {
  readonly checker: ts.TypeChecker;
  readonly places: Places;
  /** Lasts as long as the program. */
  readonly memory: TypeMemory;
}

/** A type with more is an element of the DOM, of which there are many and alike, or a whole library. */
const MAX_MEMBERS = 200;
/** Members gathered for one file. What is left out comes with another file that has the type. */
const MAX_MEMBERS_PER_FILE = 4_000;
const MAX_CONSTITUENTS = 12;
/** A type inside the arguments of a type, and so on. */
const MAX_NESTING = 4;
/** From the workspace into a package. */
const STEPS_OUTSIDE = 1;
const MAX_KEY = 160;

interface Waiting {
  readonly key: string;
  readonly type: ts.Type;
  /** How many more steps outside may follow. */
  readonly steps: number;
}

export function createTypeCollector({ checker, places, memory }: TypeCollectorDeps): TypeCollector {
  const waiting: Waiting[] = [];
  const found = new Map<string, TypeFacts>();

  function text(type: ts.Type): string {
    const known = memory.texts.get(type) ?? typeText(checker, places, type);
    memory.texts.set(type, known);
    return known;
  }

  /** @param steps of what leads to it */
  function add(given: ts.Type, steps: number, nesting = 0): string | undefined {
    const type = withoutNullish(checker.getBaseTypeOfLiteralType(given));
    if (nesting > MAX_NESTING || type.flags & WITHOUT_MEMBERS) return undefined;
    const primitive = PRIMITIVES.find(([flag]) => type.flags & flag)?.[1];
    if (primitive) return enqueue(`lib#${primitive}`, type, steps - 1);
    if (type.isTypeParameter()) return addParameter(type, steps, nesting);
    const generic = genericOf(type);
    const known = memory.keys.get(type);
    const key =
      known && known.steps >= steps
        ? known.key
        : generic
          ? addInstance(type, generic, steps, nesting)
          : keyOfPlain(type, steps, nesting);
    if (nesting === 0 || key !== undefined) memory.keys.set(type, { key, steps });
    if (key === undefined || generic) return key;
    return enqueue(key, type, isOfWorkspace(type) ? STEPS_OUTSIDE + 1 : steps - 1);
  }

  /** Asking the checker would make `NonNullable<T>` of a type parameter. */
  function withoutNullish(type: ts.Type): ts.Type {
    if (!type.isUnion()) return type;
    const left = type.types.filter((t) => !(t.flags & NULLISH));
    const [only] = left;
    if (only && left.length === 1) return only;
    return left.length === type.types.length ? type : checker.getNonNullableType(type);
  }

  function enqueue(key: string, type: ts.Type, steps: number): string {
    if (memory.stepsOf(key) < steps) {
      memory.gathered(key, steps);
      waiting.push({ key, type, steps });
    }
    return key;
  }

  function addParameter(type: ts.TypeParameter, steps: number, nesting: number): string | undefined {
    const constraint = checker.getBaseConstraintOfType(type);
    // `this` is the class that it stands in.
    if (text(type) === "this") return constraint && add(constraint, steps, nesting + 1);
    const declaration = type.symbol?.declarations?.[0];
    const owner = declaration && ts.getNameOfDeclaration(asDeclaration(declaration.parent));
    const key = short(`${placeOf(type.symbol)}#${owner?.getText() ?? ""}~${text(type)}`);
    if (memory.stepsOf(key) >= 0) return key;
    memory.gathered(key, 0);
    const target = constraint && add(constraint, steps, nesting + 1);
    found.set(key, { key, text: text(type), ...(target && { target }) });
    return key;
  }

  /** An instance has the members of its generic type, which are gathered once. */
  function addInstance(
    type: ts.TypeReference,
    generic: ts.GenericType,
    steps: number,
    nesting: number,
  ): string {
    const parameters = generic.typeParameters ?? [];
    const target = add(generic, steps, nesting);
    const args: TypeArgument[] = checker
      .getTypeArguments(type)
      .slice(0, parameters.length)
      .map((argument) => {
        const key = add(argument, steps, nesting + 1);
        return { text: text(argument), ...(key && { key }) };
      });
    const key = short(`${target}<${args.map((a) => a.key ?? a.text).join(",")}>`);
    if (memory.stepsOf(key) < 0) {
      memory.gathered(key, 0);
      found.set(key, { key, text: text(type), ...(target && { target }), args });
    }
    return key;
  }

  function genericOf(type: ts.Type): ts.GenericType | undefined {
    if (!isReference(type) || type.target === type || isTuple(type.target)) return undefined;
    return type.target.typeParameters?.length ? type.target : undefined;
  }

  /** @returns `undefined` when too much stands in it */
  function keyOfPlain(type: ts.Type, steps: number, nesting: number): string | undefined {
    const alias = type.aliasSymbol;
    if (alias) {
      const args = (type.aliasTypeArguments ?? []).map((a) => add(a, steps, nesting + 1) ?? text(a));
      return short(`${declarationKey(alias)}${args.length ? `<${args.join(",")}>` : ""}`);
    }
    if (type.isUnionOrIntersection()) {
      if (type.types.length > MAX_CONSTITUENTS) return undefined;
      const keys = type.types.map((t) => add(t, steps, nesting + 1) ?? text(t));
      return short(keys.sort().join(type.isUnion() ? "|" : "&"));
    }
    if (type.isClassOrInterface() || (isReference(type) && !isTuple(type.target)))
      return declarationKey(type.symbol);
    const isNamed = type.symbol && type.symbol.flags & NAMED_VALUES;
    if (isNamed) return short(`typeof ${declarationKey(type.symbol)}`);
    if (isReference(type)) {
      const args = checker.getTypeArguments(type).map((a) => add(a, steps, nesting + 1) ?? text(a));
      return short(`[${args.join(",")}]`);
    }
    // Without a name it is what it looks like.
    const look = `${text(type)} ${type.getProperties().map((p) => p.escapedName)}`;
    return `${placeOf(type.symbol)}#{${sha1(look)}}`;
  }

  function declarationKey(symbol: ts.Symbol): string {
    const name = checker.getFullyQualifiedName(symbol).replace(/^"[^"]*"\.?/, "");
    const declaration = symbol.declarations?.[0];
    const isInFunction = declaration && ts.findAncestor(declaration.parent, ts.isFunctionLike);
    const place = isInFunction ? `@${declaration.getStart()}` : "";
    return short(`${placeOf(symbol)}#${name}${place}`);
  }

  function placeOf(symbol: ts.Symbol | undefined): string {
    const file = symbol?.declarations?.[0]?.getSourceFile().fileName;
    return file === undefined ? "" : places.placeOf(file);
  }
  const workspacePath = (type: ts.Type): string | undefined => {
    const file = (type.aliasSymbol ?? type.symbol)?.declarations?.[0]?.getSourceFile().fileName;
    return file === undefined ? undefined : places.workspacePath(file);
  };
  const isOfWorkspace = (type: ts.Type) => workspacePath(type) !== undefined;

  function expand({ key, type, steps }: Waiting): TypeFacts {
    const path = workspacePath(type);
    const apparent = checker.getApparentType(type);
    const properties = isReference(type) && isTuple(type.target) ? [] : apparent.getProperties();
    const members =
      properties.length > MAX_MEMBERS ? undefined : properties.flatMap((p) => memberOf(p, steps) ?? []);
    const params = type.isClassOrInterface() ? type.typeParameters : undefined;
    const keyed = (t: ts.Type | undefined) => (t ? add(t, steps) : undefined);
    return {
      ...{ key, text: text(type) },
      ...(path !== undefined && { path }),
      ...(params?.length && { params: params.flatMap((p) => addParameter(p, steps, 0) ?? []) }),
      ...optional("returns", keyed(type.getCallSignatures()[0]?.getReturnType())),
      ...optional("constructs", keyed(type.getConstructSignatures()[0]?.getReturnType())),
      ...optional("element", keyed(type.getNumberIndexType() ?? type.getStringIndexType())),
      ...(members && { members }),
    };
  }

  /** @returns `undefined` for what nobody types after a dot */
  function memberOf(symbol: ts.Symbol, steps: number): MemberFacts | undefined {
    const name = symbol.name.replace(/^__#\d+@/, "");
    if (name.startsWith("__@") || name === "prototype" || /^\d/.test(name)) return undefined;
    const type = checker.getTypeOfSymbol(symbol);
    const access = name.startsWith("#") ? "private" : accessOf(symbol);
    const call = onlyCalled(checker, type);
    const optionalMark = symbol.flags & ts.SymbolFlags.Optional ? "?" : "";
    const result = add(call ? call.getReturnType() : type, steps);
    return {
      name,
      kind: call ? "method" : "property",
      signature: places.typeText(
        call
          ? `${name}${optionalMark}${parametersText(checker, places, call)}`
          : `${name}${optionalMark}: ${optionalMark ? text(type).replace(/ \| undefined$/, "") : text(type)}`,
      ),
      ...(access && { access }),
      ...(result && { result }),
    };
  }

  return {
    keyOf: (type) => add(type, STEPS_OUTSIDE + 1),
    take() {
      let members = 0;
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (members > MAX_MEMBERS_PER_FILE) memory.notGathered(next.key);
        else {
          const facts = expand(next);
          members += facts.members?.length ?? 0;
          found.set(next.key, facts);
        }
      }
      const types = [...found.values()];
      found.clear();
      return types;
    },
  };
}

/** @returns the signature of what can be called and has no members of its own; the first, when it is overloaded */
export function onlyCalled(checker: ts.TypeChecker, given: ts.Type): ts.Signature | undefined {
  const type = checker.getNonNullableType(given);
  const [first] = type.getCallSignatures();
  return first && type.getProperties().length === 0 && type.getConstructSignatures().length === 0
    ? first
    : undefined;
}

const WITHOUT_MEMBERS =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Never |
  ts.TypeFlags.Void |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.NonPrimitive;

const NULLISH = ts.TypeFlags.Undefined | ts.TypeFlags.Null;

const PRIMITIVES = [
  [ts.TypeFlags.StringLike, "string"],
  [ts.TypeFlags.NumberLike, "number"],
  [ts.TypeFlags.BooleanLike, "boolean"],
  [ts.TypeFlags.BigIntLike, "bigint"],
  [ts.TypeFlags.ESSymbolLike, "symbol"],
] as const;

const NAMED_VALUES =
  ts.SymbolFlags.Class | ts.SymbolFlags.Enum | ts.SymbolFlags.ValueModule | ts.SymbolFlags.NamespaceModule;

function isReference(type: ts.Type): type is ts.TypeReference {
  return "objectFlags" in type && (Number(type.objectFlags) & ts.ObjectFlags.Reference) !== 0;
}
const isTuple = (type: ts.ObjectType): boolean => (type.objectFlags & ts.ObjectFlags.Tuple) !== 0;

function accessOf(symbol: ts.Symbol): "private" | "protected" | undefined {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (!declaration) return undefined;
  const flags = ts.getCombinedModifierFlags(declaration);
  if (flags & ts.ModifierFlags.Private) return "private";
  return flags & ts.ModifierFlags.Protected ? "protected" : undefined;
}

const asDeclaration = (node: ts.Node): ts.Declaration => node as ts.Declaration;
const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
/** Keys are compared, not read. */
const short = (key: string): string =>
  key.length > MAX_KEY ? `${key.slice(0, MAX_KEY - 41)}~${sha1(key)}` : key;
const optional = <K extends string>(name: K, key: string | undefined): { [P in K]?: string } =>
  (key === undefined ? {} : { [name]: key }) as { [P in K]?: string };
