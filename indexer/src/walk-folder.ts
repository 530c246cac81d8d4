/** The files of a folder that no git speaks for: `.gitignore` files hold here too, and folders of tools stay out. */
import { type Dirent, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

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
 */
export async function walkFolder(root: string, scope: readonly string[]): Promise<string[]> {
  const rules = new Map<string, Ignore | undefined>();
  const found = new Set<string>();
  for (const path of scope) {
    if (!isIgnoredIn(root, path, rules)) await walk(root, path, rules, found);
  }
  return [...found];
}

/** @returns whether the path, or a folder above it, is left out by name or by a `.gitignore` */
export function isIgnoredByFolder(root: string, path: string): boolean {
  return isIgnoredIn(root, path, new Map());
}

type Rules = Map<string, Ignore | undefined>;

async function walk(root: string, path: string, rules: Rules, found: Set<string>): Promise<void> {
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
    if (leavesOut(root, child, entry.isDirectory(), rules)) continue;
    if (entry.isDirectory()) await walk(root, child, rules, found);
    else found.add(child);
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

function isIgnoredIn(root: string, path: string, rules: Rules): boolean {
  const names = path.split("/").filter(Boolean);
  return names.some((_, i) =>
    // The last name may be a file or a folder; asked as a folder only when something lies beneath it.
    leavesOut(root, names.slice(0, i + 1).join("/"), i < names.length - 1, rules),
  );
}

/** Asks the nearest `.gitignore` that has an opinion, as git does; folders above are the caller's. */
function leavesOut(root: string, path: string, isFolder: boolean, rules: Rules): boolean {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  if (name === ".git" || (isFolder && TOOL_FOLDERS.has(name))) return true;
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const folder = names.slice(0, depth).join("/");
    const { ignored, unignored } =
      rulesOf(root, folder, rules)?.test(names.slice(depth).join("/") + (isFolder ? "/" : "")) ?? {};
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

function rulesOf(root: string, folder: string, rules: Rules): Ignore | undefined {
  if (!rules.has(folder)) rules.set(folder, readRules(join(root, folder, ".gitignore")));
  return rules.get(folder);
}

function readRules(file: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
