/** The call whose arguments are being written, and what a signature says of them. Both go by the text alone. */

export interface CallAround {
  readonly callee: { readonly name: string; readonly receiver: string | null };
  /** Arguments that are complete: the one being written is number `argument`, from 0. */
  readonly argument: number;
  /** Nothing of that one is written yet. */
  readonly isAtStart: boolean;
}

/** Further left nothing is looked at. */
const MAX_LEFT = 400;
const CALLEE =
  /(?:((?:[\p{L}\p{N}_$]+(?:\?\.|::|\.))*[\p{L}\p{N}_$]+)(?:\?\.|::|\.))?([\p{L}_$][\p{L}\p{N}_$]*)$/u;
const NO_CALLEE =
  /^(if|for|while|switch|catch|match|return|elif|with|func|function|fn|def|await|and|or|not|in)$/;
/** A quote behind which a letter follows ends nothing: in Rust it names a lifetime. */
const STRING = /"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'(?!\w)/g;
const DEFINES = /\b(def|function|func|fn)\s+(\([^()]*\)\s*)?[\p{L}\p{N}_$]+$/u;

/** @param left of the cursor, of one line @returns `undefined` outside of brackets that call something */
export function callAround(left: string): CallAround | undefined {
  const text = withoutStrings(left.slice(-MAX_LEFT));
  let depth = 0;
  let argument = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? "";
    if (/[)\]}]/.test(character)) depth++;
    else if (/[([{]/.test(character)) {
      if (depth-- > 0) continue;
      if (character !== "(") return undefined;
      const before = text.slice(0, at);
      const [, receiver = null, name = ""] = CALLEE.exec(before) ?? [];
      if (name === "" || NO_CALLEE.test(name) || DEFINES.test(before)) return undefined;
      return { callee: { name, receiver }, argument, isAtStart: /[(,]\s*$/.test(text) };
    } else if (character === "," && depth === 0) argument++;
  }
  return undefined;
}

/** @param signature `total(lines: Line[], tax = 0): number`, `func (o *Order) Total(tax float64) float64` @returns names, in order */
export function parametersOf(signature: string, name: string): string[] {
  const start = signature.search(
    new RegExp(String.raw`(?<![\w$])${name.replaceAll("$", "\\$")}\s*(<[^()]*>|\[[^()]*\])?\s*\(`),
  );
  const open = start < 0 ? signature.indexOf("(") : signature.indexOf("(", start);
  if (open < 0) return [];
  return partsOf(withoutStrings(signature.slice(open + 1))).flatMap(nameOf);
}

/** Commas and brackets in them are nobody's. */
const withoutStrings = (text: string): string => text.replaceAll(STRING, '""');

/** Between commas, up to the bracket that closes. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const character = text[at] ?? "";
    if (/[([{<]/.test(character)) depth++;
    else if (/[)\]}]/.test(character) || (character === ">" && !/[-=]/.test(text[at - 1] ?? ""))) {
      if (depth-- === 0) break;
    } else if (character === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from, at)].map((part) => part.trim()).filter((part) => part !== "");
}

const ANNOTATION = /@[\w.]+(\([^()]*\))?\s*/g;

/** `tax: number = 0`, `@Max(9) final int tax`, `tax float64`, `mut tax: f64`, `**rest`; nothing for the object itself, `""` for a pattern. */
function nameOf(annotated: string): string[] {
  const part = annotated.replaceAll(ANNOTATION, "");
  if (/^(self|cls|this)\b|^&\s*('\w+\s+)?(mut\s+)?self\b|^[*/]$/.test(part)) return [];
  const declared = /^[^:=]*/.exec(part)?.[0] ?? "";
  const words =
    declared
      .match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)
      ?.filter((word) => !/^(mut|final|public|private|protected|readonly)$/.test(word)) ?? [];
  if (/^[{[]/.test(part) || words.length === 0) return [""];
  // Java writes the type first; with a colon or alone the name is the first word, as in Go.
  const isTypeFirst =
    !part.includes(":") &&
    /^[\w.<>[\],\s?]*\s[\w$]+$/.test(part) &&
    /^(final\s+)?([A-Z]|(int|long|boolean|double|float|char|byte|short)\b)/.test(part);
  return [(isTypeFirst ? words.at(-1) : words[0]) ?? ""];
}
