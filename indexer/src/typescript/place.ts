/** Where a type is declared, said so that it means the same on every machine: no absolute path goes into the index. */
import { dirname, posix } from "node:path";
import ts from "typescript";
import { realName } from "./component.ts";
import { withSlashes } from "./disk.ts";

export interface Places {
  /** Relative to the workspace, `lib` for TypeScript's own library, the rest of the path from `node_modules/` elsewhere. */
  placeOf(file: string): string;
  /** Relative path of a file of the workspace; `undefined` for one of a package. */
  workspacePath(file: string): string | undefined;
  /** A type as TypeScript writes it, on one line, without paths of this machine and not longer than is useful. */
  typeText(text: string): string;
}

const LIBRARY = `${withSlashes(dirname(ts.getDefaultLibFilePath({})))}/`;
/** A signature is to be read at a glance; longer ones repeat a whole object type. */
const MAX_TEXT = 300;

export function createPlaces(root: string): Places {
  function workspacePath(file: string): string | undefined {
    const path = posix.relative(root, realName(file));
    return path.startsWith("..") || path.includes("node_modules/") ? undefined : path;
  }
  function placeOf(file: string): string {
    if (file.startsWith(LIBRARY)) return "lib";
    const path = posix.relative(root, realName(file));
    return path.startsWith("..") ? file.slice(file.lastIndexOf("/node_modules/") + 1) : path;
  }
  return {
    placeOf,
    workspacePath,
    typeText(text) {
      const line = text
        .replaceAll(/\s+/g, " ")
        .replaceAll(/import\("([^"]+)"[^)]*\)/g, (_, file: string) => `import("${placeOf(file)}")`)
        .trim();
      return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
    },
  };
}
