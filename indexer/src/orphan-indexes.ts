/** Indexes of workspaces that are gone. They are told, never deleted: a drive may just not be mounted. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

export interface OrphanIndex {
  readonly dir: string;
  /** Where its workspace was. */
  readonly workspace: string;
  readonly bytes: number;
}

/** @returns the largest first */
export function orphanIndexes(dhiHome: string): OrphanIndex[] {
  const root = join(dhiHome, "index");
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .flatMap((name) => {
      const dir = join(root, name);
      const workspace = workspaceOf(join(dir, "index.db"));
      if (workspace === undefined || existsSync(workspace)) return [];
      const bytes = readdirSync(dir).reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
      return { dir, workspace, bytes };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** @returns `undefined` for what is no index, or one that cannot be read */
function workspaceOf(file: string): string | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return db.prepare<[], string>("SELECT value FROM meta WHERE key = 'workspace'").pluck().get();
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}
