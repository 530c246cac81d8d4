/** What TypeScript knows, in `index.db`: which files are to be looked at, and what was found in them. */
import { posix } from "node:path";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { LookAnswer } from "./facts.ts";
import { withoutExtension } from "./without-extension.ts";
import { writeNames } from "./write-types.ts";

export interface StaleFile {
  readonly path: string;
  readonly blobId: number;
  /** An unsaved buffer stands for it. */
  readonly isDocument: boolean;
}

export interface TypeTable {
  /**
   * Forgets files that are gone. Reads all of `live`: a tenth of a second for 100,000 files.
   *
   * @returns what is to be looked at, those that changed before those that were never looked at
   */
  survey(): StaleFile[];
  /** The same, for what has changed in `live` since it was called, or the survey. */
  changes(): StaleFile[];
  /** How many files TypeScript reads, of all that are live. */
  filesTotal(): number;
  /** Files that are to be looked at again because of what others were found to hold. */
  again(): StaleFile[];
  /** Whether it still is what was surveyed, and has not been looked at. */
  isStale(file: StaleFile): boolean;
  /** Text of a file as the index has it. */
  textOf(file: StaleFile): string;
  /** @param stamp of the inputs of its project */
  write(file: StaleFile, answer: LookAnswer, stamp: string): void;
  projects(): ProjectRow[];
  /** Has all its files looked at again. */
  outdate(project: string, stamp: string): void;
  /** Has those looked at again of which nothing is known. */
  outdateFailures(): void;
  /** Removes types that no name leads to. */
  collectGarbage(): void;
}

export interface ProjectRow {
  readonly project: string;
  readonly inputs: readonly string[];
  readonly stamp: string;
}

/** By VS Code's ids. */
const LANGUAGES = ["typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte"];
const IN_LANGUAGES = `language IN (${LANGUAGES.map((id) => `'${id}'`).join(", ")})`;
/** A file that half the workspace imports would keep the process busy for long. */
const MAX_IMPORTERS = 50;
const TO_BE_LOOKED_AT = 0;
const STALE_COLUMNS = `l.path, l.blob_id AS blobId,
  EXISTS (SELECT 1 FROM documents d WHERE d.path = l.path) AS isDocument`;

const STALE = `SELECT ${STALE_COLUMNS} FROM live l LEFT JOIN typed_files t ON t.path = l.path
  WHERE l.${IN_LANGUAGES} AND t.blob_id IS NOT l.blob_id`;
const SETTINGS = /[tj]sconfig\.json$/;

export function createTypeTable(db: IndexDb): TypeTable {
  const all = <Row>(sql: string, ...params: string[]) => prepared<string[], Row>(db, sql).all(...params);
  const run = (sql: string, ...params: (string | number)[]) =>
    prepared<(string | number)[], never>(db, sql).run(...params);

  noteChanges(db);

  function forget(path: string): void {
    outdateImporters(path);
    for (const table of ["typed_files", "typed_names", "typed_imports"])
      run(`DELETE FROM ${table} WHERE path = ?`, path);
  }

  function outdateImporters(path: string): void {
    run(
      `UPDATE typed_files SET blob_id = ${TO_BE_LOOKED_AT} WHERE path IN
        (SELECT path FROM typed_imports WHERE imported = ? LIMIT ${MAX_IMPORTERS})`,
      path,
    );
  }

  /** Settings that come or go change what the files below them belong to. */
  function followSettings(): void {
    const now = all<{ path: string }>(
      `SELECT path FROM live WHERE language IN ('json', 'jsonc')
        AND (path GLOB '*tsconfig.json' OR path GLOB '*jsconfig.json') ORDER BY path`,
    ).map(({ path }) => path);
    const known = projectRows().find(({ project }) => project === ALL_SETTINGS);
    const before = new Set(known?.inputs ?? now);
    const changed = [...now.filter((p) => !before.has(p)), ...[...before].filter((p) => !now.includes(p))];
    for (const folder of new Set(changed.map((path) => posix.dirname(path)))) {
      const [from, to] = folder === "." ? ["", "\uffff"] : [`${folder}/`, `${folder}0`];
      run(`UPDATE typed_files SET blob_id = ${TO_BE_LOOKED_AT} WHERE path > ? AND path < ?`, from, to);
    }
    putProject(ALL_SETTINGS, now, "");
  }

  function putProject(project: string, inputs: readonly string[], stamp: string): void {
    run("INSERT OR REPLACE INTO typed_projects VALUES (?, ?, ?)", project, JSON.stringify(inputs), stamp);
  }
  function projectRows(): ProjectRow[] {
    return all<{ project: string; inputs: string; stamp: string }>("SELECT * FROM typed_projects").map(
      (row) => ({ ...row, inputs: JSON.parse(row.inputs) }),
    );
  }

  const staleFiles = (sql: string, ...params: string[]): StaleFile[] =>
    all<{ path: string; blobId: number; isDocument: 0 | 1 }>(sql, ...params).map((row) => ({
      ...row,
      isDocument: row.isDocument === 1,
    }));

  const survey = db.transaction((): StaleFile[] => {
    run("DELETE FROM changed_paths");
    const gone = all<{ path: string }>(
      "SELECT path FROM typed_files t WHERE NOT EXISTS (SELECT 1 FROM live l WHERE l.path = t.path)",
    );
    for (const { path } of gone) forget(path);
    followSettings();
    run(
      "DELETE FROM typed_projects WHERE project <> ? AND project NOT IN (SELECT project FROM typed_files)",
      ALL_SETTINGS,
    );
    return staleFiles(`${STALE} ORDER BY t.path IS NULL, l.path`);
  });

  const changes = db.transaction((): StaleFile[] => {
    const paths = all<{ path: string }>("SELECT path FROM changed_paths").map(({ path }) => path);
    run("DELETE FROM changed_paths");
    if (paths.some((path) => SETTINGS.test(path))) followSettings();
    for (const path of paths) if (all("SELECT 1 FROM live WHERE path = ?", path).length === 0) forget(path);
    return paths.flatMap((path) => staleFiles(`${STALE} AND l.path = ?`, path));
  });

  const write = db.transaction((file: StaleFile, answer: LookAnswer, stamp: string) => {
    const before = prepared<[string], { shape: string }>(
      db,
      "SELECT shape FROM typed_files WHERE path = ?",
    ).get(file.path);
    const shape = answer.kind === "facts" ? answer.shape : "";
    // Who imported a path that led nowhere.
    if (!before) for (const path of namesOf(file.path)) outdateImporters(path);
    if (before && before.shape !== shape) outdateImporters(file.path);
    const failure = answer.kind === "facts" ? null : answer.reason;
    prepared<(string | number | null)[], never>(
      db,
      "INSERT OR REPLACE INTO typed_files VALUES (?, ?, ?, ?, ?)",
    ).run(file.path, file.blobId, answer.project, shape, failure);
    const known = projectRow(answer.project);
    if (answer.inputs.length && known?.inputs !== JSON.stringify(answer.inputs))
      putProject(answer.project, answer.inputs, stamp);
    // What was known of a file whose project cannot be read any more still helps.
    if (answer.kind === "unknown" && before) return;
    writeNames(db, file.path, answer.kind === "facts" ? answer : { names: [], types: [], imports: [] });
  });
  const projectRow = (project: string) =>
    prepared<[string], { inputs: string }>(db, "SELECT inputs FROM typed_projects WHERE project = ?").get(
      project,
    );

  return {
    survey,
    changes,
    filesTotal: () => all<{ n: number }>(`SELECT count(*) AS n FROM live WHERE ${IN_LANGUAGES}`)[0]?.n ?? 0,
    again: () =>
      // CROSS has SQLite start from those few, not from all that is live.
      staleFiles(
        `SELECT ${STALE_COLUMNS} FROM typed_files t CROSS JOIN live l ON l.path = t.path
          WHERE t.blob_id = ${TO_BE_LOOKED_AT} AND l.${IN_LANGUAGES} ORDER BY l.path`,
      ),
    isStale: ({ path, blobId }) =>
      prepared<[string, number], unknown>(
        db,
        `SELECT 1 FROM live l LEFT JOIN typed_files t ON t.path = l.path
          WHERE l.path = ? AND l.blob_id = ? AND t.blob_id IS NOT l.blob_id`,
      ).get(path, blobId) !== undefined,
    textOf: ({ blobId }) =>
      prepared<[number], { text: string }>(
        db,
        "SELECT text FROM chunks JOIN texts ON texts.id = text_id WHERE blob_id = ? ORDER BY ordinal",
      )
        .all(blobId)
        .map(({ text }) => text)
        .join(""),
    write,
    projects: () => projectRows().filter(({ project }) => project !== ALL_SETTINGS),
    outdate(project, stamp) {
      run("UPDATE typed_projects SET stamp = ? WHERE project = ?", stamp, project);
      run(`UPDATE typed_files SET blob_id = ${TO_BE_LOOKED_AT} WHERE project = ?`, project);
    },
    outdateFailures() {
      run(`UPDATE typed_files SET blob_id = ${TO_BE_LOOKED_AT} WHERE failure IS NOT NULL`);
    },
    collectGarbage: db.transaction(() => collectGarbage(db)),
  };
}

/** Has this connection, which is the only one that writes, note the paths whose row of `live` changes. */
function noteChanges(db: IndexDb): void {
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS changed_paths (path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TRIGGER IF NOT EXISTS note_insert AFTER INSERT ON live
      BEGIN INSERT OR IGNORE INTO changed_paths VALUES (NEW.path); END;
    CREATE TEMP TRIGGER IF NOT EXISTS note_update AFTER UPDATE ON live
      BEGIN INSERT OR IGNORE INTO changed_paths VALUES (NEW.path); END;
    CREATE TEMP TRIGGER IF NOT EXISTS note_delete AFTER DELETE ON live
      BEGIN INSERT OR IGNORE INTO changed_paths VALUES (OLD.path); END;
  `);
}

/** A row of `typed_projects` that is none: its inputs are the settings that the workspace has. */
const ALL_SETTINGS = "*";

/** Paths by which an import may mean a file, other than its own: without extension, and a folder's index. */
function namesOf(path: string): string[] {
  const bare = withoutExtension(path);
  return posix.basename(bare) === "index" ? [bare, posix.dirname(bare)] : [bare];
}

function collectGarbage(db: IndexDb): void {
  const edges = prepared<
    [number],
    { target: number | null; args: string | null; params: string | null } & Ends
  >(
    db,
    `SELECT target_id AS target, args, params, returns_id AS returns, constructs_id AS constructs,
      element_id AS element FROM types WHERE id = ?`,
  );
  const results = prepared<[number], { id: number }>(
    db,
    "SELECT result_id AS id FROM type_members WHERE type_id = ? AND result_id IS NOT NULL",
  );
  const first = prepared<[], { id: number }>(
    db,
    // TypeScript's own types are told once, so they stay.
    `SELECT DISTINCT type_id AS id FROM typed_names WHERE type_id IS NOT NULL
      UNION SELECT id FROM types WHERE key GLOB 'lib#*' AND target_id IS NULL`,
  ).all();
  const used = new Set(first.map(({ id }) => id));
  for (const id of used) {
    const type = edges.get(id);
    if (!type) continue;
    const args: [number | null, string][] = JSON.parse(type.args ?? "[]");
    const params: number[] = JSON.parse(type.params ?? "[]");
    const next = [
      type.target,
      type.returns,
      type.constructs,
      type.element,
      ...params,
      ...args.map(([a]) => a),
    ];
    for (const other of next) if (other !== null) used.add(other);
    for (const result of results.all(id)) used.add(result.id);
  }
  for (const { id } of prepared<[], { id: number }>(db, "SELECT id FROM types").all()) {
    if (used.has(id)) continue;
    prepared<[number], never>(db, "DELETE FROM types WHERE id = ?").run(id);
    prepared<[number], never>(db, "DELETE FROM type_members WHERE type_id = ?").run(id);
  }
}

interface Ends {
  readonly returns: number | null;
  readonly constructs: number | null;
  readonly element: number | null;
}
