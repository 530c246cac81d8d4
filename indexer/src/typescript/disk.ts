/**
 * The files that TypeScript may read: the workspace, the packages that are installed in it or above it, and its own
 * library. Settings and imports of a repository can name any path of the machine, and what they name must not end up in
 * the index.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import ts from "typescript";
import { decodeText } from "../decode-text.ts";
import { skipByName } from "../skip-reason.ts";
import { componentOf, realName, scriptsOf, seenAs } from "./component.ts";

/** Read-only. Names are absolute, with `/`; a component goes by the name that `seenAs` gives it. */
export interface Disk {
  readonly fileExists: (file: string) => boolean;
  /** Of a component, its scripts. */
  readonly readFile: (file: string) => string | undefined;
  /** Of a component, all of it. */
  readonly readWhole: (file: string) => string | undefined;
  readonly directoryExists: (folder: string) => boolean;
  readonly getDirectories: (folder: string) => string[];
  readonly readDirectory: typeof ts.sys.readDirectory;
  readonly realpath: (path: string) => string;
  /** Another one when the file changes; `undefined` when there is none. */
  readonly stamp: (file: string) => string | undefined;
  /** Plain files of a folder that are code, as `seenAs` names them. */
  readonly sources: (folder: string) => string[];
}

const LIBRARY = withSlashes(dirname(ts.getDefaultLibFilePath({})));
const SOURCE = /\.(?:[cm]?ts|tsx|[cm]?js|jsx|vue|svelte)$/i;
/** Larger ones are data; TypeScript's own largest library has 2.4 MB. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function createDisk(root: string): Disk {
  function mayRead(path: string): boolean {
    if (isInside(path, root) || isInside(path, LIBRARY)) return true;
    const packages = path.indexOf("/node_modules/");
    return packages >= 0 && isInside(root, path.slice(0, packages) || "/");
  }

  const statOf = (path: string) => (mayRead(path) ? statSync(path, { throwIfNoEntry: false }) : undefined);
  function fileStat(name: string) {
    try {
      const stat = statOf(realName(name));
      return stat?.isFile() && stat.size <= MAX_FILE_BYTES ? stat : undefined;
    } catch {
      // A name that is too long, a folder that is closed, a file where a folder is expected.
      return undefined;
    }
  }

  function read(file: string): string | undefined {
    try {
      // A link in the workspace may lead out of it.
      const real = withSlashes(realpathSync(file));
      return mayRead(real) && skipByName(real) !== "secret" ? decodeText(readFileSync(real)) : undefined;
    } catch {
      return undefined;
    }
  }

  function directoryExists(folder: string): boolean {
    try {
      return statOf(folder)?.isDirectory() ?? false;
    } catch {
      return false;
    }
  }
  function entries(folder: string, keep: "files" | "folders"): string[] {
    try {
      if (!mayRead(folder)) return [];
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) =>
          keep === "files" ? entry.isFile() : entry.isDirectory() || entry.isSymbolicLink(),
        )
        .map((entry) => entry.name);
    } catch {
      return [];
    }
  }

  return {
    fileExists: (file) => fileStat(file) !== undefined,
    readFile(name) {
      if (!fileStat(name)) return undefined;
      const component = componentOf(name);
      const text = read(component ?? name);
      return text === undefined || component === undefined ? text : scriptsOf(component, text);
    },
    readWhole: (name) => (fileStat(name) ? read(realName(name)) : undefined),
    directoryExists,
    getDirectories: (folder) =>
      entries(folder, "folders").filter((name) => directoryExists(`${folder}/${name}`)),
    readDirectory: (folder, extensions, exclude, include, depth) =>
      mayRead(folder) ? ts.sys.readDirectory(folder, extensions, exclude, include, depth) : [],
    realpath(path) {
      try {
        return withSlashes(realpathSync(path));
      } catch {
        return path;
      }
    },
    stamp(file) {
      const stat = fileStat(file);
      return stat && `${stat.mtimeMs}:${stat.size}`;
    },
    sources: (folder) =>
      entries(folder, "files")
        .filter((name) => SOURCE.test(name))
        .map((name) => seenAs(`${folder}/${name}`)),
  };
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** As TypeScript writes paths on every platform. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
