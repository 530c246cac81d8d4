/** Writes the names of a file and the types they lead to. A type that is as it was costs a look-up. */
import { createHash } from "node:crypto";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { FileFacts, TypeFacts } from "./facts.ts";

/** To be called inside a transaction. Replaces what was known of the file. */
export function writeNames(
  db: IndexDb,
  path: string,
  { names, types, imports }: Pick<FileFacts, "names" | "types" | "imports">,
): void {
  const ids = createIds(db);
  for (const type of types) writeType(db, type, ids);
  for (const table of ["typed_names", "typed_imports"])
    prepared<[string], never>(db, `DELETE FROM ${table} WHERE path = ?`).run(path);
  const insertName = prepared<(string | number | null)[], never>(
    db,
    "INSERT INTO typed_names VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  names.forEach(({ name, kind, line, endLine, type, typeKey, signature = null }, ordinal) => {
    insertName.run(path, name, ordinal, kind, line, endLine, type, ids(typeKey), signature);
  });
  for (const imported of imports)
    prepared<[string, string], never>(db, "INSERT INTO typed_imports VALUES (?, ?)").run(path, imported);
}

type Ids = (key: string | undefined) => number | null;

function createIds(db: IndexDb): Ids {
  const known = new Map<string, number>();
  const select = prepared<[string], { id: number }>(db, "SELECT id FROM types WHERE key = ?");
  const insert = prepared<[string], never>(db, "INSERT INTO types (key, text) VALUES (?, '')");
  return (key) => {
    if (key === undefined) return null;
    const id = known.get(key) ?? select.get(key)?.id ?? Number(insert.run(key).lastInsertRowid);
    known.set(key, id);
    return id;
  };
}

function writeType(db: IndexDb, type: TypeFacts, ids: Ids): void {
  const id = ids(type.key);
  if (id === null) return;
  const digest = createHash("sha1").update(JSON.stringify(type)).digest("base64");
  const before = prepared<[number], { digest: string | null }>(
    db,
    "SELECT digest FROM types WHERE id = ?",
  ).get(id);
  if (before?.digest === digest) return;
  prepared<(string | number | null)[], never>(
    db,
    `UPDATE types SET text = ?, path = ?, target_id = ?, args = ?, params = ?, returns_id = ?, constructs_id = ?,
      element_id = ?, digest = ? WHERE id = ?`,
  ).run(
    ...[type.text, type.path ?? null, ids(type.target)],
    type.args ? JSON.stringify(type.args.map(({ key, text }) => [ids(key), text])) : null,
    type.params ? JSON.stringify(type.params.map(ids)) : null,
    ...[ids(type.returns), ids(type.constructs), ids(type.element), digest, id],
  );
  prepared<[number], never>(db, "DELETE FROM type_members WHERE type_id = ?").run(id);
  const insert = prepared<(string | number | null)[], never>(
    db,
    "INSERT INTO type_members VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  type.members?.forEach(({ name, kind, signature, access = null, result }, ordinal) => {
    insert.run(id, ordinal, name, kind, signature, access, ids(result));
  });
}
