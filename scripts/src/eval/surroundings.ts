/**
 * Which files are open and which lines were just edited, for all methods alike. Registry packages carry no history, so
 * this is simulated: three files of the same folder and two that import the same names, as someone would have open who
 * works there, and a stretch of lines in three of them.
 */
import type { FimRequestInput } from "@dhi/core/protocol";
import { createRandom, pickSome } from "../bench/random.ts";
import type { Corpus, CorpusFile } from "./corpus.ts";
import type { Cursor } from "./cursors.ts";
import type { Facts } from "./facts.ts";

export interface Surroundings {
  /** The one looked at last first. */
  readonly openFiles: readonly string[];
  /** The newest first. */
  readonly recentEdits: readonly NonNullable<FimRequestInput["recentEdits"]>[number][];
}

const SAME_FOLDER = 3;
const OPEN_FILES = 5;
const EDITS = 3;
const EDIT_LINES = 8;

export function surroundingsOf(corpus: Corpus, facts: Facts, cursor: Cursor, seed: number): Surroundings {
  const random = createRandom(seed ^ hash(cursor.id));
  const family = corpus.files.get(cursor.path)?.family;
  const others = [...corpus.files.values()].filter((f) => f.path !== cursor.path && f.family === family);
  const folder = folderOf(cursor.path);
  const imported = facts.importsOf(cursor.path);
  const open = new Map<string, CorpusFile>();
  const take = (from: readonly CorpusFile[], until: number) => {
    const left = from.filter(({ path }) => !open.has(path));
    for (const file of pickSome(left, until - open.size, random)) open.set(file.path, file);
  };
  take(
    others.filter(({ path }) => folderOf(path) === folder),
    SAME_FOLDER,
  );
  take(
    others.filter(({ path }) => [...facts.importsOf(path)].some((name) => imported.has(name))),
    OPEN_FILES,
  );
  take(others, OPEN_FILES);
  const edited = pickSome([...open.values()], EDITS, random);
  return {
    openFiles: [...open.keys()],
    recentEdits: edited.map(({ path, lines }) => {
      const startLine = 1 + random.below(Math.max(1, lines.length - EDIT_LINES));
      return { path, startLine, endLine: Math.min(lines.length, startLine + EDIT_LINES - 1) };
    }),
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}
