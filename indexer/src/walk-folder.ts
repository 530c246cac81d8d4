/** The files of a folder that no git speaks for: `.gitignore` files hold here too, and folders of tools stay out. */
import { type Dirent, lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { workspaceRoot } from "./workspace-root.ts";

/** Dependencies, build results and caches, as common tools name them. In a repository git decides instead. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  ...[
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "bower_components",
    "dist",
    "build",
    "out",
    "target",
    "coverage",
  ],
  ...["__pycache__", ".venv", "venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", "site-packages"],
  ...[".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".cache", ".gradle", ".terraform"],
  ...[".idea", ".vs", "Pods", "DerivedData", ".dart_tool"],
]);

/**
 * Paths at or beneath `scope`, and repositories inside as one entry each: their folder with a `/` at its end, as git
 * lists them.
 *
 * @param scope relative paths; `""` is everything. What is not there is left out.
 * @throws {WorkspaceError} when the root itself cannot be read
 */
export async function walkFolder(root: string, scope: readonly string[]): Promise<string[]> {
  // On a mount that is gone for a while nothing was deleted.
  workspaceRoot(root);
  const rules = readIgnoreRules(root, ".gitignore");
  const found = new Set<string>();
  for (const path of scope) {
    const place = path.replace(/\/$/, "");
    if (place && whyLeftOut(place, isFolder(join(root, place)), rules)) continue;
    await walk(root, place, rules, found);
  }
  return [...found];
}

/** @returns what leaves the path out, in words: a rule of a `.gitignore`, or the name of a folder */
export function whyIgnoredByFolder(root: string, path: string): string | undefined {
  return whyLeftOut(path, isFolder(join(root, path)), readIgnoreRules(root, ".gitignore"));
}

async function walk(root: string, path: string, rules: IgnoreRules, found: Set<string>): Promise<void> {
  const entries = await entriesOf(join(root, path));
  if (!entries) {
    if (path) found.add(path);
    return;
  }
  if (path && entries.some((e) => e.name === ".git")) {
    found.add(`${path}/`);
    return;
  }
  for (const entry of entries) {
    const child = path ? `${path}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!isToolFolder(entry.name) && !rules.find(child, true)) await walk(root, child, rules, found);
    } else if (entry.name !== ".git" && !rules.find(child, false)) found.add(child);
  }
}

/** @returns `undefined` for what is no folder; an unreadable one is empty */
async function entriesOf(folder: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOTDIR" ? undefined : [];
  }
}

function isFolder(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function whyLeftOut(path: string, isFolder: boolean, rules: IgnoreRules): string | undefined {
  const names = path.split("/");
  const toolFolder = names.find((name, i) => isToolFolder(name) && (isFolder || i < names.length - 1));
  if (toolFolder) return `no git says what counts here, so folders named ${toolFolder} are left out`;
  const rule = rules.find(path, isFolder);
  return rule && `ignored by ${rule.file}:${rule.line}: ${rule.pattern}`;
}

const isToolFolder = (name: string): boolean => TOOL_FOLDERS.has(name);
