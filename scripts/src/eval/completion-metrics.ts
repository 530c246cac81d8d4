/** How close a completion comes to what was really written, as CrossCodeEval and RepoEval count it. */
import { codeIdentifiers } from "./code-identifiers.ts";
import { familyOf } from "./corpus.ts";
import type { Cursor } from "./cursors.ts";

export interface Closeness {
  /** All lines are the same but for white space around them. */
  readonly exact: boolean;
  /** 0 to 1, see {@link similarity}. */
  readonly similarity: number;
  /** Of the sets of identifiers, 0 to 1; NaN when neither text has any. */
  readonly identifierF1: number;
  /** It is the beginning of what was written: right as far as it goes. Not so when it is empty. */
  readonly isBeginning: boolean;
}

/**
 * A completion that goes on after the real code is cut to as many lines; blank lines do not count. An identifier that the
 * cursor stands in counts as a whole.
 */
export function closeness(
  completion: string,
  { prefix, continuation, language }: Pick<Cursor, "prefix" | "continuation" | "language">,
): Closeness {
  const real = codeLines(continuation);
  const made = codeLines(completion).slice(0, real.length);
  const started = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(prefix)?.[0] ?? "";
  const names = (lines: readonly string[]) =>
    new Set(lines.length ? codeIdentifiers(started + lines.join("\n"), familyOf(language)) : []);
  return {
    exact: made.length === real.length && made.every((line, i) => line === real[i]),
    similarity: similarity(made.join("\n"), real.join("\n")),
    identifierF1: f1(names(made), names(real)),
    isBeginning: completion.trim() !== "" && continuation.startsWith(completion.trimEnd()),
  };
}

/**
 * Levenshtein's ratio: 1 − d / (length of both), where d counts insertions and deletions and a substitution is one of
 * each, so that nothing in common is 0. Two empty texts are the same: 1.
 */
export function similarity(a: string, b: string): number {
  const length = a.length + b.length;
  return length === 0 ? 1 : (2 * longestCommonSubsequence(a, b)) / length;
}

/** @returns NaN for two empty sets */
export function f1(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((item) => b.has(item)).length;
  return (2 * shared) / (a.size + b.size);
}

const codeLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function longestCommonSubsequence(a: string, b: string): number {
  let row = new Uint32Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j++)
      next[j + 1] = a[i] === b[j] ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    row = next;
  }
  return row[b.length] ?? 0;
}
