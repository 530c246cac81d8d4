/** What is left of an answer while the user types what it suggested, accepts some of it, or takes some of that back. */

/** The code around a cursor. */
export interface Place {
  /** What else an answer depends on, as one string: the file, and what was asked for. */
  readonly scope: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Text for the place it was made for. */
export interface Answer extends Place {
  readonly text: string;
  /** No more text will come. */
  readonly isWhole: boolean;
}

export interface Rest {
  /** To insert at the cursor. */
  readonly text: string;
  /**
   * So many characters right of the cursor stand in `text` as well, in their order, and are replaced by it: brackets and
   * quotes that the editor closed. Nothing else right of the cursor is ever replaced.
   */
  readonly replaces: number;
}

export type Verdict =
  | { readonly kind: "rest"; readonly rest: Rest }
  /** It may yet turn out to be the rest: it is not as long as what was typed, or the bracket that closes it is to come. */
  | { readonly kind: "open" }
  | { readonly kind: "other" };

const OTHER: Verdict = { kind: "other" };

/** @returns `rest` with the text still to insert at `now`, which is empty when all of it was typed */
export function restOfAnswer(answer: Answer, now: Place): Verdict {
  if (now.scope !== answer.scope) return OTHER;
  // Most answers are told apart by that: more was typed than they have.
  const isLonger = now.prefix.length - answer.prefix.length > answer.text.length;
  if (isLonger && answer.isWhole) return OTHER;
  const typed = typedSince(answer, now);
  const closed = typed === undefined ? undefined : closedSince(answer, now, typed);
  if (typed === undefined || closed === undefined) return OTHER;
  if (!answer.text.startsWith(typed)) {
    return !answer.isWhole && typed.startsWith(answer.text) ? { kind: "open" } : OTHER;
  }
  const text = answer.text.slice(typed.length);
  if (holds(text, closed)) return { kind: "rest", rest: { text, replaces: closed.length } };
  return answer.isWhole ? OTHER : { kind: "open" };
}

/** So much text left of the cursor has to be as it was. All of it would be tens of kilobytes per answer and key. */
const TAIL = 1_024;
/** Right of the cursor. What changes further down changes no answer. */
const HEAD = 256;

function typedSince(answer: Answer, { prefix }: Place): string | undefined {
  const { length } = answer.prefix;
  const tail = answer.prefix.slice(-TAIL);
  if (prefix.length >= length && prefix.slice(0, length).endsWith(tail)) return prefix.slice(length);
  // The window that was read may have moved on meanwhile.
  if (length < TAIL) return undefined;
  const near = prefix.slice(-(TAIL + answer.text.length));
  const at = near.lastIndexOf(tail);
  return at < 0 ? undefined : near.slice(at + TAIL);
}

/** @returns the marks that the editor put in front of the old suffix, or `undefined` when it changed otherwise */
function closedSince(answer: Answer, { suffix }: Place, typed: string): string | undefined {
  const head = answer.suffix.slice(0, HEAD);
  const isOld = (text: string) => text.slice(0, HEAD) === head;
  let added = "";
  while (!isOld(suffix.slice(added.length))) {
    const next = suffix[added.length];
    // Each was put there when its partner was typed.
    if (next === undefined || added.length >= typed.length || !partners(typed).includes(next))
      return undefined;
    added += next;
  }
  return added;
}

const PARTNER: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** What an editor closes when `typed` is typed. */
export const partners = (typed: string): string[] => [...typed].flatMap((char) => PARTNER[char] ?? []);

/** Whether `text` has these marks in their order, with anything in between. */
function holds(text: string, marks: string): boolean {
  let at = 0;
  for (const mark of marks) {
    at = text.indexOf(mark, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
