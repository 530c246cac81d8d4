/**
 * The type that a variable is declared with, from the text in front of its use: `invoice: Invoice`, `new Invoice()`,
 * `Invoice invoice`, `i := Invoice{}`. No inference, so what is declared by a call or by a callback's place has none.
 */
import type { Family } from "./resolve/languages.ts";

/**
 * @param before the code in front of the use, from where the variable may be declared
 * @returns the type's name as it is written, of the nearest declaration
 */
export function declaredType(family: Family, variable: string, before: string): string | undefined {
  let found: { at: number; type: string } | undefined;
  for (const pattern of patterns(family, variable)) {
    for (const match of before.matchAll(pattern)) {
      const type = match.groups?.type;
      if (type !== undefined && match.index >= (found?.at ?? 0)) found = { at: match.index, type };
    }
  }
  return found?.type;
}

/** What a word is made of, for inside of brackets: also `größe`. `\p{L}` would be twice as slow. */
const W = String.raw`\w\u0080-\uffff`;
const CAPITAL = String.raw`[A-Z\u0080-\uffff]`;

/** `VAR` is the variable. A type that is followed by `[` is what the variable holds, and not it: `Line[]`, `list[Line]`. */
const DECLARATIONS: Readonly<Record<Family, readonly string[]>> = {
  ecmascript: [
    String.raw`VAR[?!]?\s*:\s*(?<type>[${W}$.]+)(?!\s*[${W}$.[])`,
    String.raw`VAR[^=;\n]*=\s*(?:await\s+)?new\s+(?<type>[${W}$.]+)`,
  ],
  python: [
    String.raw`VAR\s*:\s*["']?(?<type>[${W}.]+)(?!\s*[${W}.[])`,
    String.raw`VAR\s*(?::[^=\n]+)?=\s*(?<type>(?:[${W}]+\.)*_*${CAPITAL}[${W}]*)\(`,
    String.raw`\bisinstance\(VAR,\s*(?<type>[${W}.]+)\)`,
    String.raw`\bwith\s+(?<type>(?:[${W}]+\.)*${CAPITAL}[${W}]*)\([^)\n]*\)\s+as\s+VAR`,
  ],
  go: [
    String.raw`VAR(?:\s*,\s*[${W}]+)*\s+\*?(?<type>(?:[${W}]+\.)?[A-Za-z_\u0080-\uffff][${W}]*)(?=\s*[,)={\n\x60[])`,
    String.raw`VAR\s*:?=\s*&?(?<type>(?:[${W}]+\.)?[A-Za-z_\u0080-\uffff][${W}]*)(?:\[[^\]]*\])?\{`,
    String.raw`VAR\s*:?=\s*new\((?<type>(?:[${W}]+\.)?[A-Za-z_\u0080-\uffff][${W}]*)`,
  ],
  rust: [
    String.raw`VAR\s*:\s*(?:&\s*(?:'[${W}]+\s+)?)?(?:mut\s+)?(?:dyn\s+|impl\s+)?(?<type>[${W}:]+)`,
    String.raw`VAR\s*(?::[^=\n]+)?=\s*&?(?:mut\s+)?(?<type>(?:[${W}]+::)*${CAPITAL}[${W}]*)(?:::(?:new|default|from)\b|\s*\{)`,
  ],
  java: [
    String.raw`(?<![${W}.])(?<type>(?:[${W}]+\.)*${CAPITAL}[${W}]*)(?:<[^;(){}]{0,200}>)?\s+VAR`,
    String.raw`\bvar\s+VAR\s*=\s*new\s+(?<type>[${W}.]+)`,
  ],
};

const compiled = new Map<string, RegExp[]>();
/** Names repeat within a file; beyond that a pattern is made again. */
const MAX_COMPILED = 2_000;

function patterns(family: Family, variable: string): RegExp[] {
  const key = `${family} ${variable}`;
  const known = compiled.get(key);
  if (known) return known;
  // `#` and `$` are part of a name, so that \b would not do.
  const name = `(?<![${W}$#])${variable.replaceAll("$", "\\$")}(?![${W}$])`;
  const made = DECLARATIONS[family].map(
    (pattern) =>
      new RegExp(
        pattern.replaceAll("VAR", () => name),
        "g",
      ),
  );
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, made);
  return made;
}
