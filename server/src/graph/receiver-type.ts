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

/** A name that is followed by `[` holds the type, and is not it: `Line[]`, `list[Line]`. */
const DECLARATIONS: Readonly<Record<Family, readonly string[]>> = {
  ecmascript: [
    String.raw`\bVAR[?!]?\s*:\s*(?<type>[\w$.]+)(?!\s*[\w$.[])`,
    String.raw`\bVAR\b[^=;\n]*=\s*(?:await\s+)?new\s+(?<type>[\w$.]+)`,
  ],
  python: [
    String.raw`\bVAR\s*:\s*["']?(?<type>[\w.]+)(?!\s*[\w.[])`,
    String.raw`\bVAR\s*(?::[^=\n]+)?=\s*(?<type>(?:\w+\.)*_*[A-Z]\w*)\(`,
    String.raw`\bisinstance\(VAR,\s*(?<type>[\w.]+)\)`,
    String.raw`\bwith\s+(?<type>(?:\w+\.)*[A-Z]\w*)\([^)\n]*\)\s+as\s+VAR\b`,
  ],
  go: [
    String.raw`\bVAR(?:\s*,\s*\w+)*\s+\*?(?<type>(?:\w+\.)?[A-Za-z_]\w*)(?=\s*[,)={\n\x60[])`,
    String.raw`\bVAR\s*:?=\s*&?(?<type>(?:\w+\.)?[A-Za-z_]\w*)(?:\[[^\]]*\])?\{`,
    String.raw`\bVAR\s*:?=\s*new\((?<type>(?:\w+\.)?[A-Za-z_]\w*)`,
  ],
  rust: [
    String.raw`\bVAR\s*:\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?(?:dyn\s+|impl\s+)?(?<type>[\w:]+)`,
    String.raw`\bVAR\s*(?::[^=\n]+)?=\s*&?(?:mut\s+)?(?<type>(?:\w+::)*[A-Z]\w*)(?:::(?:new|default|from)\b|\s*\{)`,
  ],
  java: [
    String.raw`\b(?<type>(?:\w+\.)*[A-Z]\w*)(?:<[^;(){}]*>)?\s+VAR\b`,
    String.raw`\bvar\s+VAR\s*=\s*new\s+(?<type>[\w.]+)`,
  ],
};

const compiled = new Map<string, RegExp[]>();
/** Names repeat within a file; beyond that a pattern is made again. */
const MAX_COMPILED = 2_000;

function patterns(family: Family, variable: string): RegExp[] {
  const key = `${family} ${variable}`;
  const known = compiled.get(key);
  if (known) return known;
  const name = variable.replaceAll("$", "\\$");
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
