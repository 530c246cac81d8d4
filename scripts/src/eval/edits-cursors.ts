/** Cursors in the middle of a commit: one of its lines is about to be written, its other files are as they became. */
import { identifiersOf } from "@dhi/core/identifiers";
import { languageOf } from "@dhi/core/languages";
import { createRandom, pickSome, type Random } from "../bench/random.ts";
import { codeIdentifiers } from "./code-identifiers.ts";
import { familyOf, isCode, isPlainText } from "./corpus.ts";
import type { Cursor } from "./cursors.ts";
import { type Commit, type Git, type Hunk, severalFileCommits } from "./edits-commits.ts";
import type { Surroundings } from "./surroundings.ts";

export interface EditCursor extends Pick<Cursor, "id" | "package" | "path" | "prefix" | "suffix"> {
  /** Its tree is what the cursor's file is cut out of and the index holds. */
  readonly commit: string;
  /** The rest of the line. */
  readonly continuation: string;
  /** Names of the continuation that only other code files of the tree have, not the open one; never empty. */
  readonly needed: ReadonlySet<string>;
  /** The commit's hunks in other files, and those files. */
  readonly surroundings: Surroundings;
  /** What the commit wrote in other files. */
  readonly editedText: string;
}

/** So that a few large commits do not decide. */
const MOST_PER_COMMIT = 2;
/** The protocol's limit. */
const MOST_EDITS = 50;

/** Newest commits first; the first `n` are the same whatever the number taken. */
export function* cutEditCursors(git: Git, repository: string, seed: number): Generator<EditCursor> {
  const random = createRandom(seed);
  for (const commit of severalFileCommits(git)) {
    let cut = 0;
    for (const hunk of pickSome(commit.hunks, commit.hunks.length, random)) {
      const cursor = cutHunk(git, commit, hunk, random);
      if (!cursor) continue;
      yield { ...cursor, package: repository };
      if (++cut === MOST_PER_COMMIT) break;
    }
  }
}

/** At its first line that needs a name; what follows of the hunk is not written yet. */
function cutHunk(
  git: Git,
  { id, hunks }: Commit,
  { path, startLine, lines }: Hunk,
  random: Random,
): Omit<EditCursor, "package"> | undefined {
  const text = git("show", `${id}:${path}`);
  if (!isPlainText(text)) return undefined;
  const file = text.split("\n");
  const suffix = `\n${file.slice(startLine - 1 + lines.length).join("\n")}`;
  for (const [at, line] of lines.entries()) {
    if (IMPORT.test(line)) continue;
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    const before = file.slice(0, startLine - 1 + at).map((l) => `${l}\n`);
    const prefix = before.join("") + indent;
    const needed = neededOn(git, id, { path, prefix, suffix, line });
    if (!needed.size) continue;
    const others = hunks.filter((hunk) => hunk.path !== path);
    return {
      ...{ id: `${id.slice(0, 12)}/${path}:${startLine + at}`, commit: id, path, prefix, suffix, needed },
      continuation: line.slice(indent.length),
      surroundings: surroundingsOf(others, random),
      editedText: others.flatMap((hunk) => hunk.lines).join("\n"),
    };
  }
  return undefined;
}

/** Written by the editor itself as a rule. */
const IMPORT = /^\s*(import|from)\b/;

function neededOn(
  git: Git,
  commit: string,
  { path, prefix, suffix, line }: { path: string; prefix: string; suffix: string; line: string },
): Set<string> {
  const visible = new Set(identifiersOf(`${prefix}\n${suffix}`));
  const names = new Set(codeIdentifiers(line, familyOf(languageOf(path).id)));
  return new Set([...names].filter((name) => !visible.has(name) && standsElsewhere(git, commit, name, path)));
}

function standsElsewhere(git: Git, commit: string, name: string, path: string): boolean {
  const files = filesWith(git, commit, name).map((file) => file.slice(commit.length + 1));
  return files.some((file) => file !== path && isCode(file));
}

/** @returns `COMMIT:path` of each */
function filesWith(git: Git, commit: string, name: string): string[] {
  try {
    return git("grep", "-lzwIF", "-e", name, commit).split("\0").filter(Boolean);
  } catch (error) {
    // That is how git says that there are none.
    if (error instanceof Error && "status" in error && error.status === 1) return [];
    throw error;
  }
}

/** In a random order: a commit does not say which of its hunks was written last. */
function surroundingsOf(others: readonly Hunk[], random: Random): Surroundings {
  const edits = pickSome(others, MOST_EDITS, random);
  return {
    openFiles: [...new Set(edits.map(({ path }) => path))],
    recentEdits: edits.map(({ path, startLine, lines }) => ({
      ...{ path, startLine },
      endLine: startLine + lines.length - 1,
    })),
  };
}
