/** A call on a variable, of which nothing is known but its declaration, and often not even that. */
import { isGoReceiver, ownField } from "./class-members.ts";
import { membersOfType } from "./holder.ts";
import { declaredType } from "./receiver-type.ts";
import { familyOf } from "./resolve/languages.ts";
import { type Scope, SEPARATOR, type Target, targets, WORD } from "./scope.ts";
import { type Located, qualified, type Tree } from "./tree.ts";

/** A method that more classes have than this could be anyone's. */
const MAX_SAME_NAME = 8;

/** How far above its use a variable's declaration is looked for, unless it stands at the margin. */
const MAX_LINES = 200;

const SELF = /^(this|self|cls)$/;

/** A variable: what it is declared as, or else one of the classes that have such a member. */
export function variableMember(scope: Scope): Target[] {
  const { tree, family, use } = scope;
  const receiver = use.receiver ?? "";
  const type = typeOf(scope, receiver.split(SEPARATOR));
  const ofType = type === undefined ? undefined : membersOfType(scope, type);
  if (ofType) return ofType;
  if (/^["'`[{(\d]/.test(receiver)) return [];
  const members = tree
    .named(use.name)
    .filter((symbol) => familyOf(symbol.path) === family && isMember(tree, symbol));
  const known = members.filter((one) => isKnownHere(scope, one));
  const possible = known.length ? known : members;
  return possible.length <= MAX_SAME_NAME ? targets(possible, "name") : [];
}

/** @param parts a variable, or a field of `this` */
function typeOf(scope: Scope, parts: readonly string[]): string | undefined {
  const { tree, family, use } = scope;
  const [first = "", second] = parts;
  if (parts.length > 2 || !parts.every((part) => WORD.test(part))) return undefined;
  const isOwn = second !== undefined && (SELF.test(first) || isGoReceiver(scope, first));
  if (second !== undefined && !isOwn) return undefined;
  const field = isOwn || family === "java" ? ownField(scope, second ?? first) : undefined;
  const ofField = field && declaredType(family, field.name, ` ${field.signature}\n`);
  if (isOwn) return ofField ?? declaredType(family, second, tree.text(use.path));
  const near = linesOf(tree, use.path).slice(startOfEnclosing(scope) - 1, use.line);
  return (
    declaredType(family, first, near.slice(-MAX_LINES).join("\n")) ??
    ofField ??
    declaredType(family, first, margin(tree, use.path))
  );
}

const linesOf = (tree: Tree, path: string): readonly string[] =>
  tree.once(`lines ${path}`, () => tree.text(path).split("\n"));

/** What stands at the margin is seen by the whole file. */
const margin = (tree: Tree, path: string): string =>
  tree.once(`margin ${path}`, () =>
    linesOf(tree, path)
      .filter((line) => /^[^\s}\])]/.test(line))
      .join("\n"),
  );

/** The line where the outermost definition around the use begins that is no class; the first one at the top level. */
function startOfEnclosing({ tree, use }: Scope): number {
  const parts = (use.enclosing ?? "").split(".");
  for (let count = 1; count <= parts.length; count++) {
    const around = parts.slice(0, count).join(".");
    const found = tree
      .symbols(use.path, parts[count - 1] ?? "")
      .find(
        (symbol) =>
          qualified(symbol) === around &&
          /^(function|method|variable)$/.test(symbol.kind) &&
          symbol.startLine <= use.line &&
          use.line <= symbol.endLine,
      );
    if (found) return found.startLine;
  }
  return 1;
}

/** A method, or what JavaScript assigns: `app.start = function …`. What a function defines inside itself is none. */
function isMember(tree: Tree, { path, container, kind }: Located): boolean {
  if (container === null || kind === "variable") return false;
  const owner = container.slice(container.lastIndexOf(".") + 1);
  return kind === "method" || !tree.symbols(path, owner).some((one) => /^(function|method)$/.test(one.kind));
}

/** Whether the file names the class that the definition is a member of. */
function isKnownHere(scope: Scope, { path, container }: Located): boolean {
  const owner = container ?? "";
  const name = owner.slice(owner.lastIndexOf(".") + 1);
  return scope
    .resolve({ ...scope.use, name, receiver: null })
    .some(({ definition }) => definition.path === path);
}
