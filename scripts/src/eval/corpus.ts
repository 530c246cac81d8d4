/** A package's sources as a workspace of their own, without copies and data, and the same files in memory. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { languageOf } from "@dhi/core/languages";
import { cacheFolder, type SourcePackage } from "../source-packages.ts";
import { withoutCopies } from "./near-copies.ts";
import { type EvalPackage, LEFT_OUT } from "./packages.ts";

export interface CorpusFile {
  readonly path: string;
  /** VS Code's id. */
  readonly language: string;
  readonly family: LanguageFamily;
  readonly text: string;
  readonly lines: readonly string[];
}

/** Languages whose files use each other's definitions. */
export type LanguageFamily = "python" | "ecmascript" | "go" | "rust" | "java" | "other";

export interface Corpus {
  /** The package with its version; also the workspace's name. */
  readonly name: string;
  /** The workspace's folder. Shared by all runs: not to be written to. */
  readonly dir: string;
  /** By path, in the order of paths. */
  readonly files: ReadonlyMap<string, CorpusFile>;
}

/** Raised when the same package gives other files. */
const RULES = 1;

/** Larger files are data. */
const MOST_BYTES = 200_000;

/** Comes from the cache after the first time. */
export function corpusOf(source: SourcePackage, { only }: EvalPackage): Corpus {
  const name = basename(source.dir);
  const dir = join(cacheFolder("eval"), "corpora", `${name}-${rulesKey(only)}`);
  if (!existsSync(dir)) writeCorpus(dir, withoutCopies(readFiles(source.dir, only)));
  const files = readFiles(dir);
  return { name, dir, files: new Map(files.map((file) => [file.path, file])) };
}

export function corpusFile(path: string, text: string): CorpusFile {
  const language = languageOf(path).id;
  return { path, language, family: familyOf(language), text, lines: text.split("\n") };
}

export function familyOf(language: string): LanguageFamily {
  if (/^(java|type)script(react)?$|^(vue|svelte|astro)$/.test(language)) return "ecmascript";
  return (["python", "go", "rust", "java"] as const).find((family) => family === language) ?? "other";
}

/** Of a language that has a family. */
export const isCode = (path: string): boolean => familyOf(languageOf(path).id) !== "other";

/** UTF-8 with `\n` alone: what cursors are cut out of, and compared with, is the same in the file and in the index. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !/[\0\r\uFFFD]/.test(text);

const rulesKey = (only: RegExp | undefined): string =>
  createHash("sha1").update(`${RULES} ${only?.source} ${LEFT_OUT.source}`).digest("hex").slice(0, 8);

const readFiles = (dir: string, only?: RegExp): CorpusFile[] =>
  codeFilesOf(dir, { only, mostBytes: MOST_BYTES }).map(([path, text]) => corpusFile(path, text));

export interface CodeFilesOptions {
  /** Of the paths; without it all. */
  readonly only: RegExp | undefined;
  /** Larger files are data. */
  readonly mostBytes: number;
}

/** @returns path and text of what can be read as code of a language that has a family, in the order of paths */
export const codeFilesOf = (
  dir: string,
  { only = /^/, mostBytes }: CodeFilesOptions,
): (readonly [path: string, text: string])[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => isCode(path) && only.test(path) && !LEFT_OUT.test(path))
    .filter((path) => statSync(join(dir, path)).size <= mostBytes)
    .sort()
    .map((path) => [path, readFileSync(join(dir, path), "utf8")] as const)
    .filter(([, text]) => isPlainText(text));

function writeCorpus(dir: string, files: readonly CorpusFile[]): void {
  mkdirSync(dirname(dir), { recursive: true });
  const work = mkdtempSync(join(dirname(dir), ".making-"));
  try {
    for (const { path, text } of files) {
      const file = join(work, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    renameSync(work, dir);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(dir)) throw error;
  }
}
