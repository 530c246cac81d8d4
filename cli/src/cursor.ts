/** `FILE:LINE:COL` → the code before and after it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./command.ts";

export interface Cursor {
  /** Absolute. */
  readonly file: string;
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * Lines and columns are counted from 1, as editors show them; a column is a UTF-16 unit, and the one after the last stands
 * behind the line.
 *
 * @throws {UsageError} for what is no place in a file that can be read
 */
export function cursorOf(place: string, cwd: string): Cursor {
  const [, path, line, column] = /^(.+):(\d+):(\d+)$/.exec(place) ?? [];
  if (path === undefined) throw new UsageError(`"${place}" is no FILE:LINE:COL, such as src/app.ts:12:5`);
  const file = resolve(cwd, path);
  const text = read(file, path);
  const lines = text.split("\n");
  const at = Number(line);
  const row = lines[at - 1];
  if (row === undefined) throw new UsageError(`${path} has ${lines.length} lines, and no line ${at}`);
  const width = row.replace(/\r$/, "").length;
  const col = Number(column);
  if (col < 1 || col > width + 1)
    throw new UsageError(`line ${at} of ${path} has columns 1 to ${width + 1}, and no ${col}`);
  const offset = lines.slice(0, at - 1).reduce((sum, { length }) => sum + length + 1, 0) + col - 1;
  return { file, prefix: text.slice(0, offset), suffix: text.slice(offset) };
}

function read(file: string, path: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${path} cannot be read (${why})`);
  }
}
