/** Where in what a commit added a cursor is put, and what the editor shows there. */
import { isLineBreak, lex } from "@dhi/server/instant/lexer";
import type { Random } from "../random.ts";
import { pickSome } from "../random.ts";
import type { AddedRun, Commit } from "./commits.ts";

export interface Position {
  /** Of the file after the commit. */
  readonly path: string;
  /** Its indexed copy is the old text of the file at hand. */
  readonly indexedPath: string;
  readonly prefix: string;
  /** From the line break behind the cursor's line: what follows the whole run of added lines. */
  readonly suffix: string;
  /** What the commit's author wrote in the rest of the line. */
  readonly rest: string;
  readonly kind: "line start" | "mid-line";
  readonly isNewFile: boolean;
}

export interface PositionsWanted {
  readonly count: number;
  readonly random: Random;
}

/** A file is as good as a few others: a new one of thousands of lines must not speak for its package. */
const MOST_PER_FILE = 24;
/** Longer rests are data. */
const MOST_REST = 200;

/** @returns half of them at the first token of a line, half behind some token of one */
export function positionsOf(commit: Commit, { count, random }: PositionsWanted): Position[] {
  const byFile = new Map<string, { run: AddedRun; line: number }[]>();
  for (const run of commit.runs)
    for (let line = run.start; line < run.start + run.lines; line++) {
      const lines = byFile.get(run.path) ?? [];
      byFile.set(run.path, lines);
      lines.push({ run, line });
    }
  const chosen: Position[] = [];
  for (const [path, all] of byFile) {
    const text = commit.after.get(path);
    if (text === undefined) continue;
    const lines = text.split("\n");
    const real = all.filter(({ line }) => {
      const code = (lines[line] ?? "").trim();
      return code !== "" && code.length <= MOST_REST && !commit.removed.has(code);
    });
    for (const { run, line } of pickSome(real, MOST_PER_FILE, random)) {
      const kind = random.below(2) ? "line start" : "mid-line";
      const position = positionIn(lines, run, line, kind, random);
      if (position) chosen.push(position);
    }
  }
  return pickSome(chosen, count, random);
}

function positionIn(
  lines: readonly string[],
  run: AddedRun,
  line: number,
  kind: Position["kind"],
  random: Random,
): Position | undefined {
  const whole = (lines[line] ?? "").trimEnd();
  const indent = whole.length - whole.trimStart().length;
  let column = indent;
  if (kind === "mid-line") {
    const ends = tokenEnds(whole.slice(indent)).slice(0, -1);
    if (ends.length === 0) return undefined;
    column += random.pick(ends);
  }
  const above = lines.slice(0, line).map((text) => `${text}\n`);
  const below = lines.slice(run.start + run.lines);
  return {
    path: run.path,
    indexedPath: run.pathBefore ?? run.path,
    prefix: above.join("") + whole.slice(0, column),
    suffix: `\n${below.join("\n")}`,
    rest: whole.slice(column),
    kind,
    isNewFile: run.pathBefore === undefined,
  };
}

/** @returns after how many characters each token ends, without white space that stands alone */
export function tokenEnds(text: string): number[] {
  const ends: number[] = [];
  let at = 0;
  lex(text, (token, spaced) => {
    at += token.length + Number(spaced);
    if (!isLineBreak(token) && token.trim() !== "") ends.push(at);
  });
  return ends;
}
