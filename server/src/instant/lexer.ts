/**
 * Splits code of any language into words, numbers, operators and line breaks, without losing a byte. Strings and
 * comments are split like code: what is said in them is repeated too.
 *
 * - One space before a token is a flag on it, so that `a+b` and `a + b` match and each keeps its looks.
 * - A line break holds the blank lines after it and how the indent *changes*, so that the same code matches at any depth.
 * - Any other white space is a token of its own.
 */

export type Emit = (text: string, spaced: boolean) => void;

/** Longer runs are split, so that no single token can fill the memory. */
const TOKEN =
  /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]{0,255}|\d\w{0,255}(?:\.\d\w{0,255})?|\s+|===|!==|\.\.\.|<=>|\*\*=|&&=|\|\|=|\?\?=|=>|->|::|:=|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|\/=|\|>|<-|\*\*|\/\/|\/\*|\*\/|[\s\S]/g;

/**
 * @param indent of the line the text begins in
 * @returns the indent of the text's last line, to go on from
 */
export function lex(text: string, emit: Emit, indent = ""): string {
  let spaced = false;
  for (const token of text.match(TOKEN) ?? []) {
    if (!isSpace(token.charCodeAt(0))) {
      emit(token, spaced);
      spaced = false;
    } else if (token === " ") {
      spaced = true;
    } else {
      const lineStart = token.lastIndexOf("\n") + 1;
      if (lineStart === 0) {
        emit(token, false);
      } else {
        const next = token.slice(lineStart);
        emit(token.slice(0, lineStart) + indentChange(indent, next), false);
        indent = next;
      }
    }
  }
  // A space at the very end belongs to a token that is not there yet.
  if (spaced) emit(" ", false);
  return indent;
}

/** The inverse of {@link lex}. */
export function unlex(tokens: Iterable<readonly [text: string, spaced: boolean]>, indent = ""): string {
  let text = "";
  for (const [token, spaced] of tokens) {
    if (spaced) text += " ";
    if (!isLineBreak(token)) {
      text += token;
      continue;
    }
    const lineStart = token.lastIndexOf("\n") + 1;
    indent = applyChange(indent, token.slice(lineStart));
    text += token.slice(0, lineStart) + indent;
  }
  return text;
}

/** Only line breaks have a newline in them. */
export const isLineBreak = (token: string): boolean => token.includes("\n");

const WORD = /^[A-Za-z_$\u0080-\uffff]/;
export const isWord = (token: string): boolean => WORD.test(token);

const WHOLE_WORD = /^[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]{0,255}$/;
/** Whether a name is one token: `content-type`, a name between quotes, is several. */
export const isWholeWord = (name: string): boolean => WHOLE_WORD.test(name);

export const isNumber = (token: string): boolean => /^\d/.test(token);

/** `+` and what is added, `-` and how many characters go, or `=` and the whole indent where tabs and spaces mix. */
function indentChange(from: string, to: string): string {
  if (to.startsWith(from)) return `+${to.slice(from.length)}`;
  return from.startsWith(to) ? `-${from.length - to.length}` : `=${to}`;
}

function applyChange(indent: string, change: string): string {
  if (change.startsWith("-")) return indent.slice(0, indent.length - Number(change.slice(1)));
  return change.startsWith("+") ? indent + change.slice(1) : change.slice(1);
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
