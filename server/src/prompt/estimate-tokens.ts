/**
 * What a text costs in tokens, without the model's tokenizer: counted by the runs that every vocabulary for code splits
 * a text into, so that hashes, tables of numbers and text beyond ASCII are not taken for prose.
 */
import type { FimFormat } from "./fim-format.ts";

/** How a vocabulary differs from others. */
export type Vocabulary = Pick<FimFormat, "charsPerToken" | "eachTab" | "beyondAscii">;

/** @returns an estimate that errs high */
export const estimateTokens = (text: string, vocabulary: Vocabulary): number =>
  Math.max(0, Math.ceil(costOf(text, vocabulary) - ROUNDING_ERROR));

/** @returns the same, not rounded; no less for a longer text */
export const costOf = (text: string, vocabulary: Vocabulary): number =>
  scan(text, vocabulary, Number.POSITIVE_INFINITY).cost;

/** @returns length of the longest start of `text` that costs at most `maxTokens`, in UTF-16 units */
export const fittingLength = (text: string, maxTokens: number, vocabulary: Vocabulary): number =>
  scan(text, vocabulary, maxTokens).end;

/**
 * Tokens of a vocabulary that takes 3 characters of code for one. Fitted to eight real ones over 660 pieces of Python,
 * TypeScript, JavaScript, Go, Rust, Java, Vue, HTML, CSS, Markdown and translations, then raised until hardly any piece
 * costs more than this says; `scripts/src/tokenizers` measures it again.
 */
const COST = {
  /** Starts at a letter after anything else, and at a capital after a small letter. */
  word: 1.1,
  /** Beyond so many letters a word is several, or none: base32, a name run together. */
  longWord: 10,
  letterOfLongWord: 0.9,
  capitalAfterCapital: 0.6,
  digit: 1.15,
  spaceBeforeDigit: 0.5,
  punctuation: 1.1,
  spaceBeforePunctuation: 0.3,
  spaceBeforeLineEnd: 1,
  otherPunctuation: 0.75,
  samePunctuation: 0.15,
  lineFeed: 1.2,
  carriageReturn: 1,
  control: 1.15,
  /** Two blanks or more, which are one token up to so many. */
  blanks: 0.5,
  blanksInOne: 16,
  moreBlanks: 1,
  tab: 0.3,
  /** By the bytes of UTF-8, as far as a script's own words are not in the vocabulary. */
  latin1: 1.5,
  twoBytes: 2,
  threeBytes: 3,
  /** Of the two halves of what lies beyond the first plane. */
  surrogate: 2,
  /** Next to a character of the same script, which makes it likely that it is a word. */
  twoBytesInScript: 1.2,
  threeBytesInScript: 1.5,
} as const;
/** What {@link COST} is for. */
const CHARS_PER_TOKEN = 3;
/** Sums of the costs above miss whole numbers by less. */
const ROUNDING_ERROR = 1e-6;

function scan(
  text: string,
  { charsPerToken, eachTab, beyondAscii = 1 }: Vocabulary,
  maxTokens: number,
): { cost: number; end: number } {
  const scale = CHARS_PER_TOKEN / charsPerToken;
  const most = maxTokens / scale;
  const tab = eachTab ? 1 : COST.tab;
  let cost = 0;
  let before = 0;
  /** Characters of the same kind in a row, the one before included. */
  let run = 0;
  let kindBefore: number = KIND.start;

  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    const first = kind !== kindBefore;
    const afterSpace = kindBefore === KIND.blank && run === 1;
    let more: number;
    if (kind === KIND.small) {
      // A capital begins the word that small letters go on.
      if (first && kindBefore !== KIND.capital) more = COST.word;
      else more = run >= COST.longWord ? COST.letterOfLongWord : 0;
    } else if (kind === KIND.capital) {
      if (first) more = COST.word;
      else more = run >= COST.longWord ? COST.letterOfLongWord : COST.capitalAfterCapital;
    } else if (kind === KIND.punctuation) {
      if (first) more = COST.punctuation + (afterSpace ? COST.spaceBeforePunctuation : 0);
      else more = code === before ? COST.samePunctuation : COST.otherPunctuation;
    } else if (kind === KIND.digit) {
      more = COST.digit + (afterSpace ? COST.spaceBeforeDigit : 0);
    } else if (kind === KIND.blank) {
      more = code === TAB ? tab : 0;
      if (run === 1 && !first) more += COST.blanks;
      else if (!first && run % COST.blanksInOne === 0) more += COST.moreBlanks;
    } else if (kind === KIND.line) {
      more = code === LINE_FEED ? COST.lineFeed : COST.carriageReturn;
      if (afterSpace) more += COST.spaceBeforeLineEnd;
    } else if (kind === KIND.control) {
      more = COST.control;
    } else {
      more = costBeyondAscii(code, before) * beyondAscii;
    }

    if (cost + more > most + ROUNDING_ERROR) return { cost: cost * scale, end: i };
    cost += more;
    run = first ? 1 : run + 1;
    before = code;
    kindBefore = kind;
  }
  return { cost: cost * scale, end: text.length };
}

/** Numbers, since each character of a prompt is looked up several times per request. */
const KIND = {
  start: 0,
  small: 1,
  capital: 2,
  digit: 3,
  punctuation: 4,
  blank: 5,
  line: 6,
  control: 7,
  beyond: 8,
} as const;

const TAB = 9;
const LINE_FEED = 10;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return KIND.small;
  if (/[A-Z]/.test(character)) return KIND.capital;
  if (/[0-9]/.test(character)) return KIND.digit;
  if (/[ \t]/.test(character)) return KIND.blank;
  if (/[\r\n]/.test(character)) return KIND.line;
  return code < 32 || code === 127 ? KIND.control : KIND.punctuation;
});

const kindOf = (code: number): number => (code < 128 ? (ASCII[code] ?? KIND.beyond) : KIND.beyond);

function costBeyondAscii(code: number, before: number): number {
  if (code < 0x100) return COST.latin1;
  const inScript = before >= 0x80 && scriptOf(code) === scriptOf(before);
  if (code < 0x800) return inScript ? COST.twoBytesInScript : COST.twoBytes;
  if (code >= 0xd800 && code < 0xe000) return COST.surrogate;
  return inScript ? COST.threeBytesInScript : COST.threeBytes;
}

/** Scripts lie in blocks of 128; only those of East Asia are larger. */
function scriptOf(code: number): number {
  if (code >= 0x3040 && code < 0x3100) return KANJI;
  if (code >= 0x4e00 && code < 0xa000) return KANJI;
  if (code >= 0xac00 && code < 0xd800) return HANGUL;
  return code >> 7;
}

const KANJI = -1;
const HANGUL = -2;
