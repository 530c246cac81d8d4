/** Members of an expression of which only the text is known, in any language: those that tree-sitter saw in the class that it names. */
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Member, Members, Place } from "./members.ts";
import { declaredType } from "./receiver-type.ts";
import { familyOf } from "./resolve/languages.ts";

/** @returns `undefined` when no class is named */
export function guessMembers(db: IndexDb, { path, expression, line }: Place): Members | undefined {
  const name = classNamed(db, path, expression.trim(), line);
  if (name === undefined) return undefined;
  const definition = definitionOf(db, name, path);
  if (!definition) return undefined;
  const container = definition.container === null ? name : `${definition.container}.${name}`;
  const members = prepared<[number, string], Member>(
    db,
    "SELECT name, kind, signature FROM symbols WHERE blob_id = ? AND container = ? ORDER BY ordinal",
  ).all(definition.blobId, container);
  return { type: name, from: "symbols", members };
}

function classNamed(db: IndexDb, path: string, expression: string, line: number): string | undefined {
  if (expression === "this" || expression === "self") return classAround(db, path, line);
  const made = /^new\s+([\w$]+)/.exec(expression)?.[1];
  if (made !== undefined) return made;
  const family = familyOf(path);
  if (!family || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(expression)) return undefined;
  const type = declaredType(family, expression, textOf(db, path).split("\n", line).join("\n"));
  return type?.split(".").at(-1);
}

function classAround(db: IndexDb, path: string, line: number): string | undefined {
  return prepared<[string, number, number], { name: string }>(
    db,
    `SELECT name FROM live JOIN symbols USING (blob_id) WHERE path = ? AND kind = 'class'
      AND start_line <= ? AND end_line >= ? ORDER BY start_line DESC`,
  ).get(path, line, line)?.name;
}

interface DefinitionRow {
  readonly blobId: number;
  readonly container: string | null;
}

/** One in the file itself, else any: two classes of one name are rarely both meant. */
const definitionOf = (db: IndexDb, name: string, path: string): DefinitionRow | undefined =>
  prepared<[string, string], DefinitionRow>(
    db,
    `SELECT symbols.blob_id AS blobId, container FROM symbols JOIN live USING (blob_id)
      WHERE name = ? AND kind IN ('class', 'interface', 'type', 'module') ORDER BY path = ? DESC, path LIMIT 1`,
  ).get(name, path);

const textOf = (db: IndexDb, path: string): string =>
  prepared<[string], { text: string }>(
    db,
    `SELECT text FROM live JOIN chunks USING (blob_id) JOIN texts ON texts.id = text_id
      WHERE path = ? ORDER BY ordinal`,
  )
    .all(path)
    .map(({ text }) => text)
    .join("");
