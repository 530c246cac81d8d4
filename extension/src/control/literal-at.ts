/** Whether a cursor stands in code, a comment or a string: a pass over the text before it, without a parser. */

export type Surroundings = "code" | "comment" | "string";

/** What starts and ends comments and strings in a language. Of markers that begin alike the longest stands first. */
interface Lexicon {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [start: string, end: string])[];
  /** Comments inside comments are counted. */
  readonly nests?: boolean;
  readonly strings: readonly Quote[];
  /** `/` may start a regular expression, in which quotes are none. */
  readonly hasRegex?: boolean;
  /** `'a'` is a character, and `'a` alone may be a lifetime or a number's separator. */
  readonly hasCharacters?: boolean;
}

interface Quote {
  readonly mark: string;
  readonly end?: string;
  /** Goes on over line ends; others end with their line, so that one forgotten quote spoils no more than that. */
  readonly isMultiLine?: boolean;
  /** No backslash escapes its end. */
  readonly isRaw?: boolean;
  /** What between these is code again: `${` … `}`. */
  readonly hole?: readonly [string, string];
}

const DOUBLE: Quote = { mark: '"' };
const SINGLE: Quote = { mark: "'" };
const TEMPLATE: Quote = { mark: "`", isMultiLine: true, hole: ["${", "}"] };
const C_COMMENTS = { lineComments: ["//"], blockComments: [["/*", "*/"]] } as const;

const javascript: Lexicon = { ...C_COMMENTS, strings: [DOUBLE, SINGLE, TEMPLATE], hasRegex: true };
const c: Lexicon = { ...C_COMMENTS, strings: [DOUBLE], hasCharacters: true };
const java: Lexicon = { ...c, strings: [{ mark: '"""', isMultiLine: true }, DOUBLE] };
const kotlin: Lexicon = { ...java, nests: true };
const python: Lexicon = {
  lineComments: ["#"],
  blockComments: [],
  strings: [{ mark: '"""', isMultiLine: true }, { mark: "'''", isMultiLine: true }, DOUBLE, SINGLE],
};
const hash: Lexicon = { lineComments: ["#"], blockComments: [], strings: [DOUBLE, SINGLE] };
const css: Lexicon = { lineComments: [], blockComments: [["/*", "*/"]], strings: [DOUBLE, SINGLE] };
const scss: Lexicon = { ...css, lineComments: ["//"] };
const markup: Lexicon = { lineComments: [], blockComments: [["<!--", "-->"]], strings: [] };
const shell: Lexicon = {
  lineComments: ["#"],
  blockComments: [],
  strings: [
    { mark: '"', isMultiLine: true },
    { mark: "'", isMultiLine: true, isRaw: true },
  ],
};

/** By VS Code's language identifier. */
const LEXICONS: Readonly<Record<string, Lexicon>> = {
  ...{ javascript, javascriptreact: javascript, typescript: javascript, typescriptreact: javascript },
  ...{ c, cpp: c, csharp: c, "objective-c": c, "cuda-cpp": c, java, kotlin, groovy: java },
  scala: kotlin,
  swift: { ...kotlin, hasCharacters: false },
  dart: { ...C_COMMENTS, nests: true, strings: [...python.strings] },
  go: {
    ...C_COMMENTS,
    strings: [DOUBLE, { mark: "`", isMultiLine: true, isRaw: true }],
    hasCharacters: true,
  },
  rust: {
    ...C_COMMENTS,
    nests: true,
    strings: [
      { mark: 'r##"', end: '"##', isMultiLine: true, isRaw: true },
      { mark: 'r#"', end: '"#', isMultiLine: true, isRaw: true },
      { mark: '"', isMultiLine: true },
    ],
    hasCharacters: true,
  },
  php: { lineComments: ["//", "#"], blockComments: C_COMMENTS.blockComments, strings: shell.strings },
  ...{ python, ruby: hash, elixir: python, r: hash, perl: hash, makefile: hash, dockerfile: hash },
  ...{
    yaml: hash,
    toml: python,
    properties: hash,
    shellscript: shell,
    powershell: { ...hash, blockComments: [["<#", "#>"]] },
  },
  ...{ css, scss, less: scss, html: markup, xml: markup, markdown: markup, vue: markup, svelte: markup },
  lua: {
    lineComments: ["--"],
    blockComments: [["--[[", "]]"]],
    strings: [{ mark: "[[", end: "]]", isMultiLine: true, isRaw: true }, DOUBLE, SINGLE],
  },
  sql: {
    lineComments: ["--"],
    blockComments: C_COMMENTS.blockComments,
    strings: [{ ...SINGLE, isMultiLine: true }],
  },
};

/**
 * @param before from the start of the file, or of a line well above the cursor: when that lies inside a string or comment
 *   of several lines, the answer may be wrong until it ends
 * @returns `code` for languages that are not known here
 */
export function literalAt(languageId: string, before: string): Surroundings {
  const lexicon = LEXICONS[languageId];
  return lexicon ? scan(before, lexicon) : "code";
}

/** What surrounds the place that is read. */
type Open =
  | { readonly kind: "comment"; readonly start?: string; readonly end: string }
  | { readonly kind: "string"; readonly quote: Quote }
  /** Code inside a string; `depth` counts its brackets. */
  | { readonly kind: "hole"; readonly end: string; depth: number };

function scan(text: string, lexicon: Lexicon): Surroundings {
  const above = text.slice(0, text.lastIndexOf("\n") + 1);
  if (latest?.lexicon !== lexicon || latest.above !== above)
    latest = { lexicon, above, stack: scanFrom(0, above, lexicon, []) };
  const kind = scanFrom(above.length, text, lexicon, latest.stack).at(-1)?.kind ?? "code";
  return kind === "hole" ? "code" : kind;
}

/** It is asked at key after key, and the lines above the cursor's stay as they are. */
let latest:
  | {
      readonly lexicon: Lexicon;
      readonly above: string;
      readonly stack: readonly Readonly<Open>[];
    }
  | undefined;

/**
 * @param around what surrounds the place where it starts: the innermost last
 * @returns the same of the text's end
 */
function scanFrom(start: number, text: string, lexicon: Lexicon, around: readonly Readonly<Open>[]): Open[] {
  const stack = around.map((open) => ({ ...open }));
  for (let at = start; at < text.length; ) {
    const top = stack.at(-1);
    if (top?.kind === "comment") at = inComment(text, at, top, stack, lexicon);
    else if (top?.kind === "string") at = inString(text, at, top.quote, stack);
    else at = inCode(text, at, top, stack, lexicon);
  }
  return stack;
}

function inComment(
  text: string,
  at: number,
  { start, end }: { readonly start?: string; readonly end: string },
  stack: Open[],
  { nests }: Lexicon,
): number {
  const close = text.indexOf(end, at);
  const again = nests && start ? text.indexOf(start, at) : -1;
  if (start && again >= 0 && (close < 0 || again < close)) {
    stack.push({ kind: "comment", start, end });
    return again + start.length;
  }
  if (close < 0) return text.length;
  stack.pop();
  // The line end itself is code again, and the next line with it.
  return close + end.length;
}

function inString(text: string, at: number, quote: Quote, stack: Open[]): number {
  if (text[at] === "\\" && !quote.isRaw) return at + 2;
  if (text[at] === "\n" && !quote.isMultiLine) {
    stack.pop();
    return at + 1;
  }
  const end = quote.end ?? quote.mark;
  if (text.startsWith(end, at)) {
    stack.pop();
    return at + end.length;
  }
  if (quote.hole && text.startsWith(quote.hole[0], at)) {
    stack.push({ kind: "hole", end: quote.hole[1], depth: 0 });
    return at + quote.hole[0].length;
  }
  return at + 1;
}

function inCode(text: string, at: number, hole: Open | undefined, stack: Open[], lexicon: Lexicon): number {
  const char = text[at] ?? "";
  // Most characters are letters and blanks, which start nothing; Rust's r"…" is looked for at its quote.
  if (/[\s\w]/.test(char) && char !== "r") return at + 1;
  const starts = (mark: string) => text.startsWith(mark, at);
  const block = lexicon.blockComments.find(([start]) => starts(start));
  if (block) {
    stack.push({ kind: "comment", start: block[0], end: block[1] });
    return at + block[0].length;
  }
  const line = lexicon.lineComments.find(starts);
  if (line && !(line === "#" && isInsideWord(text, at))) {
    stack.push({ kind: "comment", end: "\n" });
    return at + line.length;
  }
  const quote = lexicon.strings.find(({ mark }) => starts(mark));
  if (quote) {
    stack.push({ kind: "string", quote });
    return at + quote.mark.length;
  }
  if (lexicon.hasCharacters && char === "'")
    return at + (CHARACTER.exec(text.slice(at, at + 12))?.[0].length ?? 1);
  if (lexicon.hasRegex && char === "/") return at + regexLength(text, at);
  if (hole?.kind === "hole") {
    if (char === "{") hole.depth++;
    else if (char === hole.end && hole.depth-- === 0) stack.pop();
  }
  return at + 1;
}

const CHARACTER = /^'(?:\\[^']{1,8}|\\'|[^\\'\n])'/u;

/** `$#`, `${x#y}` and `a#b` of shells, and `color: #fff`, are no comments. */
const isInsideWord = (text: string, at: number): boolean => /[\w$}&-]/.test(text[at - 1] ?? " ");

/** A `/` after a value divides; after an operator, or at a line's start, it starts a pattern that ends on its line. */
function regexLength(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  if (
    before &&
    !/(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete))$/.test(before)
  )
    return 1;
  return (
    /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/.exec(text.slice(at, at + 400))?.[0].length ?? 1
  );
}
