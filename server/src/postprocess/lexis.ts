/** How languages write strings and comments: as much as it takes to tell code from them. */
import { languageOf } from "@dhi/core/languages";

export interface Literal {
  readonly open: string;
  readonly close: string;
  /** Goes on over line ends; otherwise a line end ends it. */
  readonly lines: boolean;
  /** A backslash takes the next character's meaning. */
  readonly escapes: boolean;
  /** Opens code inside it, up to the matching `}`. */
  readonly hole?: string;
  /** What is in a comment is words: brackets, quotes and indentation mean nothing there. */
  readonly comment?: true;
  /** Opens again inside itself, as Rust's and Swift's comments do. */
  readonly nests?: true;
}

export interface Lexis {
  /** Longest opening first. */
  readonly literals: readonly Literal[];
  /** Whole things that hold quotes or brackets and are neither, tried where one of `tokenStarts` stands. */
  readonly tokens: readonly RegExp[];
  readonly tokenStarts: string;
  /** Words that a string may follow without a blank: its own prefixes, and keywords. */
  readonly beforeString: RegExp;
  /** Tags close what tags open: HTML and what embeds it. */
  readonly tags: boolean;
  /** Blocks are made by indentation. */
  readonly offside: boolean;
}

/** @returns `undefined` for languages whose literals are not known; there a bracket may be anything */
export const lexisOf = ({
  languageId,
  path,
}: {
  readonly languageId?: string | undefined;
  readonly path?: string | undefined;
}): Lexis | undefined => byLanguage.get(languageId || languageOf(path ?? "").id);

const line = (open: string): Literal => ({ open, close: "\n", lines: false, escapes: false, comment: true });
const block = (open: string, close: string): Literal => ({
  open,
  close,
  lines: true,
  escapes: false,
  comment: true,
});
const quoted = (quote: string): Literal => ({ open: quote, close: quote, lines: false, escapes: true });
const long = (open: string, escapes: boolean, close = open): Literal => ({
  open,
  close,
  lines: true,
  escapes,
});

/** After these a slash opens a regular expression and does not divide. Not after `<` or before `>`, where it closes a tag. */
const JS_REGEX =
  /(?<=(?:^|[(,=:[!&|?{};+\-*%>~^\n]|\b(?:return|typeof|case|in|of|do|else|void|throw|yield|await))[^\S\n]*)\/(?![*/>])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const CHARACTER = /'(?:\\(?:u\{?[\da-fA-F]+\}?|x[\da-fA-F]{2}|[^\n])|[^\\'\n]{1,2})'/y;

const slashComments = [line("//"), block("/*", "*/")];
const KEYWORD = /^(?:return|case|in|of|typeof|else|import|from|default|await|yield|throw)$/;
const none = { tokens: [], tokenStarts: "", beforeString: KEYWORD, tags: false, offside: false };

const javascript: Lexis = {
  ...none,
  literals: [...slashComments, { ...long("`", true), hole: "${" }, quoted('"'), quoted("'")],
  tokens: [JS_REGEX],
  tokenStarts: "/",
};
const jsx: Lexis = { ...javascript, tags: true };
const python: Lexis = {
  ...none,
  literals: [line("#"), long('"""', true), long("'''", true), quoted('"'), quoted("'")],
  beforeString: /^(?:[rbfu]|[bf]r|r[bf]|return|in|is|not|and|or|if|else|print|import|yield|await|lambda)$/i,
  offside: true,
};
const go: Lexis = {
  ...none,
  literals: [...slashComments, long("`", false), quoted('"'), quoted("'")],
};
const rust: Lexis = {
  ...none,
  literals: [
    line("//"),
    { ...block("/*", "*/"), nests: true },
    long('r##"', false, '"##'),
    long('r#"', false, '"#'),
    long('r"', false, '"'),
    long('"', true),
  ],
  // A single quote that is no character is a lifetime, and nothing follows from it.
  tokens: [CHARACTER],
  tokenStarts: "'",
  beforeString: /^(?:b|r|br|c|cr|return|in|match|if)$/,
};
const java: Lexis = { ...none, literals: [...slashComments, long('"""', true), quoted('"'), quoted("'")] };
const clike: Lexis = {
  ...none,
  beforeString: /^(?:u8|[uULR]|u8R|[uUL]R|s|f|raw|return|case|else)$/,
  literals: [...slashComments, quoted('"'), quoted("'")],
};
const csharp: Lexis = {
  ...none,
  literals: [...slashComments, long('$@"', false, '"'), long('@"', false, '"'), quoted('"'), quoted("'")],
};

const byLanguage: ReadonlyMap<string, Lexis> = new Map([
  ["typescript", javascript],
  ["javascript", jsx],
  ["typescriptreact", jsx],
  ["javascriptreact", jsx],
  ["python", python],
  ["go", go],
  ["rust", rust],
  ["java", java],
  ["kotlin", java],
  ["scala", java],
  ["c", clike],
  ["cpp", clike],
  ["csharp", csharp],
]);
