/**
 * Files as the real chunker and store put them into an index, and what the graph of the server makes of them. Here because
 * this package alone may import both.
 */
import { blobId, type IndexDb, openIndexForReading, openIndexForWriting } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { analysisOf } from "@dhi/indexer/analysis";
import { createAnalyzer } from "@dhi/indexer/chunker/analyze";
import { createIndexStore } from "@dhi/indexer/index-store";
import { targetsOf } from "@dhi/server/graph/reference";
import type { Use } from "@dhi/server/graph/scope";
import { qualified, treeOf } from "@dhi/server/graph/tree";

export interface IndexedFiles extends Disposable {
  readonly db: IndexDb;
  /** In one commit. @param gone paths that are no more */
  put(files: Readonly<Record<string, string>>, gone?: readonly string[]): void;
}

const analyzer = await createAnalyzer();

/** @param files path → text */
export function indexedFiles(files: Readonly<Record<string, string>>): IndexedFiles {
  const { dir, [Symbol.dispose]: remove } = tempDir();
  const writer = openIndexForWriting(dir);
  const store = createIndexStore(writer);
  function put(changed: Readonly<Record<string, string>>, gone: readonly string[] = []): void {
    const rows = Object.entries(changed).map(([path, text]) => {
      const language = languageOf(path);
      const blob = blobId(Buffer.from(text));
      store.putAnalysis(blob, language.id, analysisOf(analyzer, text, language));
      return { path, blob, language: language.id, bytes: text.length, changedMs: 0, skip: null };
    });
    store.setMembership(rows, gone);
  }
  put(files);
  const db = openIndexForReading(dir);
  if (!db) throw new Error("the index cannot be opened");
  return {
    db,
    put,
    [Symbol.dispose]() {
      db.close();
      writer.close();
      remove();
    },
  };
}

/** Every use in a file and where it leads: `line receiver.name → path definition (confidence)`, `-` for nowhere. */
export function renderTargets(db: IndexDb, path: string): string {
  const uses = db
    .prepare<[string], Use>(
      `SELECT live.path, name, line, enclosing, receiver FROM live CROSS JOIN refs USING (blob_id)
       WHERE live.path = ? ORDER BY ordinal`,
    )
    .all(path);
  return uses
    .map((use) => {
      const targets = targetsOf(treeOf(db), use).map(
        ({ definition, confidence }) => `${definition.path} ${qualified(definition)} (${confidence})`,
      );
      return `${use.line} ${[use.receiver, use.name].filter(Boolean).join(" › ")} → ${targets.join(", ") || "-"}`;
    })
    .join("\n");
}
