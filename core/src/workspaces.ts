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
  if (problems.length) return z.NEVER;
  return entries.length > 1 ? withNames(entries) : entries;
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
        problems.push(`"${one.path}" and "${other.path}" are both called "${one.name}"; rename one`);
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
    ? `"${outer.path}" and "${inner.path}" are one folder; name it once`
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

/**
 * A folder without a name is called as it is; where two are called the same, as much as it takes of the folders above; and
 * where that is all there is, with a number.
 */
export function withNames(entries: readonly WorkspaceSetting[]): readonly WorkspaceSetting[] {
  const taken = new Set(entries.flatMap(({ name }) => name ?? []));
  const depths = entries.map(() => 1);
  const nameAt = (i: number, depth: number) => entries[i]?.name ?? lastFolders(entries[i]?.path ?? "", depth);
  for (;;) {
    const names = depths.map((depth, i) => nameAt(i, depth));
    const alike = [...names.keys()].filter(
      (i) => names.indexOf(names[i] ?? "") !== names.lastIndexOf(names[i] ?? ""),
    );
    const longer = alike.filter((i) => nameAt(i, (depths[i] ?? 1) + 1) !== names[i]);
    if (!longer.length)
      return entries.map(({ name, path }, i) => ({ path, name: name ?? unlike(names[i] ?? "", taken) }));
    for (const i of longer) depths[i] = (depths[i] ?? 1) + 1;
  }
}

/** @returns `web-api` for the last two of `/code/web/api` */
function lastFolders(path: string, count: number): string {
  const above = dirname(path);
  const name = basename(path) || "root";
  return count === 1 || basename(above) === "" ? name : `${lastFolders(above, count - 1)}-${name}`;
}

function unlike(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}-${n}`;
  taken.add(free);
  return free;
}
