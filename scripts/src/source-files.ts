/** The workspace's own source files, as far as the showcase needs them: a sample, not an index. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "@dhi/core/languages";

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const MOST_FILES = 1500;
const MOST_BYTES = 200_000;

/** @returns files of languages with a grammar, without generated ones by size; empty when there are none */
export async function readSourceFiles(workspace: string): Promise<SourceFile[]> {
  const paths = (await gitFiles(workspace)) ?? walk(workspace);
  const files: SourceFile[] = [];
  for (const path of paths.filter((p) => languageOf(p).grammar)) {
    if (files.length === MOST_FILES) break;
    const text = readSmallFile(join(workspace, path));
    if (text !== undefined) files.push({ path, text });
  }
  return files;
}

/** @returns `undefined` when git is missing or this is no repository of it */
function gitFiles(workspace: string): Promise<string[] | undefined> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const options = {
    cwd: workspace,
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
  };
  return new Promise((done) =>
    execFile("git", args, options, (error, out) => done(error ? undefined : out.split("\0").filter(Boolean))),
  );
}

function walk(workspace: string): string[] {
  const found: string[] = [];
  const open = [""];
  for (let dir = open.pop(); dir !== undefined && found.length < 10 * MOST_FILES; dir = open.pop()) {
    for (const entry of readFolder(join(workspace, dir))) {
      const path = dir ? `${dir}/${entry.name}` : entry.name;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
        open.push(path);
    }
  }
  return found.sort();
}

function readFolder(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readSmallFile(file: string): string | undefined {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
