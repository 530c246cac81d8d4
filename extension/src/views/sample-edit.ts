/** A beginning to type, for a suggestion that everyone can judge: the line above it says how it may go on. */

export interface SampleEdit {
  /** Where to insert, in UTF-16 units: the end of a line. */
  readonly at: number;
  /** A line end, and the first part of that line again, up to some letters of a name behind a dot. */
  readonly text: string;
}

/** Letters of the name that are typed: enough for one that continues them to be meant. */
const TYPED = 3;
const MEMBER = new RegExp(`^[ \\t]+\\S.*?[\\w)\\]]\\.\\w{${TYPED}}(?=\\w{2})`);

/** @returns the first such line from the middle of the text on, else the last; `undefined` when there is none */
export function sampleEdit(text: string): SampleEdit | undefined {
  let at = 0;
  let found: SampleEdit | undefined;
  for (const line of text.split("\n")) {
    const end = at + line.replace(/\r$/, "").length;
    const [typed] = MEMBER.exec(line) ?? [];
    if (typed && !/^\s*(?:#|\/\/|\*|import\b|from\b)/.test(typed)) {
      found = { at: end, text: `\n${typed}` };
      if (at >= text.length / 2) return found;
    }
    at += line.length + 1;
  }
  return found;
}
