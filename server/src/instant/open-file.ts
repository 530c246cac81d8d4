/**
 * The file that is being written, above and below the cursor's line. It is read anew only where it changed: a keystroke
 * changes the current line, which is not in here, and a new line is added at the end.
 */
import { lex } from "./lexer.ts";
import { NameCounts, type NamesOfFile } from "./name-uses.ts";
import { TokenStore } from "./token-store.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** How much of a long file counts, in characters, and by how much the start of what counts moves at once. */
const ABOVE = 64 * 1024;
const BELOW = 32 * 1024;
const HOP = 16 * 1024;
const HEAD_BITS = 13;

export interface OpenFile {
  readonly above: TokenStore;
  readonly below: TokenStore;
  readonly names: NamesOfFile;
  /** Text from the end of what `above` holds to the cursor; starts with a line break except on the first line. */
  readonly tail: string;
  /** Indent of the last line in `above`. */
  readonly indent: string;
}

/** Keeps what it read for the next call; one per file that is being edited. */
export class OpenFileReader {
  readonly #vocabulary: Vocabulary;
  #above: TokenStore;
  #aboveText = "";
  #indent = "";
  #aboveNames: NameCounts;
  #below: TokenStore;
  #belowNames: NameCounts;
  #belowText = "";
  /** Of the cursor's line, which the first line below is compared with. */
  #belowIndent = "";

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#above = this.#emptyStore();
    this.#aboveNames = new NameCounts(vocabulary);
    this.#below = this.#emptyStore();
    this.#belowNames = new NameCounts(vocabulary);
  }

  read(prefix: string, suffix: string): OpenFile {
    const shown = prefix.slice(startOf(prefix));
    const above = shown.slice(0, Math.max(0, shown.lastIndexOf("\n"))).trimEnd();
    const tail = shown.slice(above.length);
    this.#readAbove(above);
    this.#readBelow(suffix, indentOf(tail.slice(tail.lastIndexOf("\n") + 1)));
    return {
      above: this.#above,
      below: this.#below,
      names: { above: this.#aboveNames, below: this.#belowNames },
      tail,
      indent: this.#indent,
    };
  }

  #readAbove(text: string): void {
    const added = text.slice(this.#aboveText.length);
    const grown = text.startsWith(this.#aboveText) && (added === "" || /^\s*\n/.test(added));
    if (!grown) {
      this.#above = this.#emptyStore();
      this.#aboveNames = new NameCounts(this.#vocabulary);
      this.#indent = "";
    }
    this.#indent = this.#lexInto(this.#above, this.#aboveNames, grown ? added : text, this.#indent);
    this.#aboveText = text;
  }

  #readBelow(suffix: string, indent: string): void {
    const lineEnd = suffix.indexOf("\n");
    const text = lineEnd < 0 ? "" : suffix.slice(lineEnd, lineEnd + BELOW);
    if (text === this.#belowText && indent === this.#belowIndent) return;
    this.#below = this.#emptyStore();
    this.#belowNames = new NameCounts(this.#vocabulary);
    this.#lexInto(this.#below, this.#belowNames, text, indent);
    this.#belowText = text;
    this.#belowIndent = indent;
  }

  #emptyStore(): TokenStore {
    return new TokenStore({
      headBits: HEAD_BITS,
      isName: (id) => this.#vocabulary.isName(id),
      isLineBreak: (id) => this.#vocabulary.isLineBreak(id),
    });
  }

  #lexInto(store: TokenStore, names: NameCounts, text: string, indent: string): string {
    function push(id: number, spaced: boolean): void {
      store.push(id, spaced);
      names.push(id);
    }
    return lex(text, (token, spaced) => push(this.#vocabulary.add(token), spaced), indent);
  }
}

function startOf(prefix: string): number {
  const over = prefix.length - ABOVE;
  if (over <= 0) return 0;
  const hop = Math.ceil(over / HOP) * HOP;
  const lineStart = prefix.indexOf("\n", hop) + 1;
  // A line longer than that, which people do not write, is read from its middle.
  return lineStart || hop;
}

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);
