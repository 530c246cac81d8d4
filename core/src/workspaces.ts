/** The settings → the folders whose code is indexed and completed. */
import { statSync } from "node:fs";
import { basename, delimiter, dirname, resolve } from "node:path";
import { z } from "zod";
import { realPathOf, toWorkspacePath } from "./workspace-path.ts";

/** A folder to index and complete. */
export interface WorkspaceSetting {
  /** On the wire and in prompts. `undefined`: as its git remote calls it, else its folder; so only where it is the only one. */
  readonly name: string | undefined;
  /** Absolute. */
  readonly path: string;
}

export interface WorkspaceSettings {
  readonly WORKSPACE: string;
  readonly WORKSPACE_NAME?: string | undefined;
  readonly DHI_WORKSPACES?: readonly WorkspaceSetting[] | undefined;
}

/** @returns at least one, in the order of the settings; DHI_WORKSPACES counts before WORKSPACE */
export const workspacesOf = (settings: WorkspaceSettings): readonly WorkspaceSetting[] =>
  settings.DHI_WORKSPACES ?? [{ name: settings.WORKSPACE_NAME, path: settings.WORKSPACE }];

/** DHI_WORKSPACES: folders that exist, none twice and none inside another. Each bad one is an issue of its own. */
export const workspaceList = z.string().transform((text, ctx): readonly WorkspaceSetting[] => {
  const entries = readEntries(text);
  const problems = entries.length ? problemsOf(entries) : ["names no folder"];
  for (const message of problems) ctx.addIssue({ code: "custom", message });
  return problems.length ? z.NEVER : withNames(entries);
});

/**
 * @param text `path` or `name=path`, separated by commas, line ends or what separates the folders of PATH
 * @param separator of PATH on this system
 */
export function readEntries(text: string, separator: string = delimiter): WorkspaceSetting[] {
  return text
    .split(new RegExp(`[${separator},\n\r]`))
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const named = /^([^/\\=]+)=(.+)$/.exec(entry);
      return { name: named?.[1]?.trim(), path: resolve(named?.[2]?.trim() ?? entry) };
    });
}

function problemsOf(entries: readonly WorkspaceSetting[]): string[] {
  const problems = entries.flatMap(({ path }) => whyNoFolder(path) ?? []);
  for (const [i, one] of entries.entries()) {
    for (const other of entries.slice(i + 1)) {
      if (one.name !== undefined && one.name === other.name)
        problems.push(`"${one.path}" and "${other.path}" are both called "${one.name}"`);
      const place = placeOf(one, other) ?? placeOf(other, one);
      if (place) problems.push(place);
    }
  }
  return problems;
}

function placeOf(outer: WorkspaceSetting, inner: WorkspaceSetting): string | undefined {
  const below = toWorkspacePath(realPathOf(outer.path), realPathOf(inner.path));
  if (below === undefined) return undefined;
  return below === ""
    ? `"${outer.path}" and "${inner.path}" are one folder`
    : `"${inner.path}" lies inside "${outer.path}"; name one of the two`;
}

function whyNoFolder(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return `"${path}" does not exist`;
    return stat.isDirectory() ? undefined : `"${path}" is a file; it must be a folder`;
  } catch {
    // It may be closed to us: whoever opens it says so, and the other folders are served meanwhile.
    return undefined;
  }
}

/** A folder without a name is called as it is; where two are called the same, as much as it takes of the folders above. */
function withNames(entries: readonly WorkspaceSetting[]): readonly WorkspaceSetting[] {
  if (entries.length === 1) return entries;
  const depths = entries.map(() => 1);
  const names = () => entries.map(({ name, path }, i) => name ?? lastFolders(path, depths[i] ?? 1));
  for (;;) {
    const now = names();
    const alike = entries.flatMap(({ name, path }, i) => {
      const isTaken = now.some((other, j) => j !== i && other === now[i]);
      return name === undefined && isTaken && lastFolders(path, (depths[i] ?? 1) + 1) !== now[i] ? [i] : [];
    });
    if (!alike.length) return entries.map(({ path }, i) => ({ path, name: unlike(now, i) }));
    for (const i of alike) depths[i] = (depths[i] ?? 1) + 1;
  }
}

/** @returns `web-api` for the last two of `/code/web/api` */
function lastFolders(path: string, count: number): string {
  const above = dirname(path);
  const name = basename(path) || "root";
  return count === 1 || above === path || basename(above) === ""
    ? name
    : `${lastFolders(above, count - 1)}-${name}`;
}

/** Folders whose whole paths read the same (`/a-b/c`, `/a/b-c`) are counted. */
function unlike(names: readonly string[], i: number): string {
  const before = names.slice(0, i).filter((name) => name === names[i]).length;
  return before ? `${names[i]}-${before + 1}` : (names[i] ?? "");
}
