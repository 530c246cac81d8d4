/** What stands before a dot, taken apart: `await this.load(id).items[0]!` begins with `this` and goes on step by step. */

export type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "call" }
  | { readonly kind: "element" }
  | { readonly kind: "new" }
  | { readonly kind: "await" };

export interface Expression {
  /** A name, or `this`; `string` for a literal of one. */
  readonly root: { readonly kind: "name" | "literal"; readonly name: string };
  readonly steps: readonly Step[];
}

/** @returns `undefined` for what is not read: operators, object literals, functions */
export function readExpression(source: string): Expression | undefined {
  const text = source.trim();
  const awaited = /^await\s+(?=\S)/.exec(text);
  if (awaited) {
    const inner = readExpression(text.slice(awaited[0].length));
    return inner && { ...inner, steps: [...inner.steps, { kind: "await" }] };
  }
  const start = readRoot(text);
  const steps = start && readSteps(text, start.end);
  return start && steps && { root: start.root, steps: [...start.steps, ...steps] };
}

interface Start extends Expression {
  /** Offset behind it. */
  readonly end: number;
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

function readRoot(text: string): Start | undefined {
  if (text.startsWith("(")) {
    const end = endOfGroup(text, 0);
    const inner = end === undefined ? undefined : readExpression(text.slice(1, end - 1));
    return inner && end !== undefined ? { ...inner, end } : undefined;
  }
  if (/^["'`]/.test(text)) {
    const end = endOfString(text, 0);
    return end === undefined ? undefined : { root: { kind: "literal", name: "string" }, steps: [], end };
  }
  const made = /^new\s+/.exec(text)?.[0].length ?? 0;
  const name = match(NAME, text, made);
  if (name === undefined) return undefined;
  const root = { kind: "name", name } as const;
  const end = made + name.length;
  return made ? readNew(text, root, end) : { root, steps: [], end };
}

/** `new shop.Invoice(…)`: the class goes up to the brackets, which are no call. */
function readNew(text: string, root: Expression["root"], from: number): Start | undefined {
  const steps: Step[] = [];
  let end = from;
  for (let path = match(PATH, text, end); path !== undefined; path = match(PATH, text, end)) {
    steps.push({ kind: "member", name: path.slice(1) });
    end += path.length;
  }
  const open = skipTypeArguments(text, end);
  const close = text[open] === "(" ? endOfGroup(text, open) : open;
  return close === undefined ? undefined : { root, steps: [...steps, { kind: "new" }], end: close };
}

const PATH = /\.[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

function readSteps(text: string, from: number): Step[] | undefined {
  const steps: Step[] = [];
  let at = from;
  while (at < text.length) {
    const rest = match(/\s*(?:!(?!=))?\s*(?:\?\.|\.)?\s*/y, text, at) ?? "";
    at += rest.length;
    const next = text[at];
    if (next === undefined) return rest.includes(".") ? undefined : steps;
    if (next === "(" || next === "[") {
      const end = endOfGroup(text, at);
      if (end === undefined) return undefined;
      steps.push({ kind: next === "(" ? "call" : "element" });
      at = end;
    } else if (next === "<") {
      const end = skipTypeArguments(text, at);
      if (end === at) return undefined;
      at = end;
    } else {
      const name = rest.includes(".") ? match(MEMBER, text, at) : undefined;
      if (name === undefined) return undefined;
      steps.push({ kind: "member", name });
      at += name.length;
    }
  }
  return steps;
}

const MEMBER = /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** @returns the offset behind `<…>` when a call follows, else the one it was given */
function skipTypeArguments(text: string, at: number): number {
  const [found] = [match(/\s*<[^()]*>\s*(?=\()/y, text, at)];
  return at + (found?.length ?? 0);
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** @returns the offset behind the bracket that closes the one at `at`; `undefined` when there is none */
function endOfGroup(text: string, at: number): number | undefined {
  const open: string[] = [];
  for (let i = at; i < text.length; i++) {
    const character = text[i] ?? "";
    const closing = CLOSING.get(character);
    if (closing) open.push(closing);
    else if (/["'`]/.test(character)) {
      const end = endOfString(text, i);
      if (end === undefined) return undefined;
      i = end - 1;
    } else if (/[)\]}]/.test(character)) {
      if (open.pop() !== character) return undefined;
      if (open.length === 0) return i + 1;
    }
  }
  return undefined;
}

function endOfString(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === text[at]) return i + 1;
  }
  return undefined;
}
