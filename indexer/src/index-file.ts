/**
 * ★ One file on its way into the index: read → skip? → chunk → symbols → embed → store.
 *
 * A model embeds in the background: vector sync finds chunks without a vector by itself.
 */
import { join } from "node:path";
import type { SkipReason } from "@dhi/core/chunk";
import { blobId } from "@dhi/core/index-db";
import { type Language, languageOf } from "@dhi/core/languages";
import type { AnalysisThreads } from "./analysis-threads.ts";
import { decodeText } from "./decode-text.ts";
import type { FileRow, IndexStore } from "./index-store.ts";
import { readSource, type SourceBytes } from "./read-source.ts";
import { skipByText } from "./skip-reason.ts";
import type { EmbeddingQueue } from "./vectors/embedding-queue.ts";
import type { TreeFile } from "./work-tree.ts";

export interface IndexFileDeps {
  readonly root: string;
  readonly store: IndexStore;
  readonly threads: Pick<AnalysisThreads, "size" | "analyze">;
  /** See EmbeddingQueue: what can be embedded at once is found by its meaning as soon as it is found at all. */
  readonly embedNow: EmbeddingQueue["embedNow"];
  readonly maxFileBytes: number;
  /** Called for each content that had to be read by the chunker: one seen before does not. */
  readonly onParsed: () => void;
}

/**
 * Stores what is in the file. What lies at its path changes only with the row that is returned, so that many files can
 * change together; `skip: "missing"` means that it was deleted meanwhile and has no row.
 */
export async function indexFile(file: TreeFile, deps: IndexFileDeps): Promise<FileRow> {
  // Without a time it is looked into as soon as no rule keeps it out unread.
  if (file.skip) return skipped({ ...file, changedMs: null }, file.skip);
  const source = await readSource(file.path, join(deps.root, file.path), deps.maxFileBytes);
  return typeof source === "string" ? skipped(file, source) : indexSource(file.path, source, deps);
}

/** @param language as a client named it; default: by the file's name */
export async function indexSource(
  path: string,
  { bytes, changedMs }: SourceBytes,
  { store, threads, embedNow, onParsed }: IndexFileDeps,
  language: Language = languageOf(path),
): Promise<FileRow> {
  const file = { path, bytes: bytes.byteLength, changedMs };
  const text = decodeText(bytes);
  const skip = text === undefined ? "binary" : skipByText(text, language.id);
  if (text === undefined || skip) return skipped(file, skip ?? "binary", language);

  const blob = blobId(bytes);
  if (!store.isAnalysed(blob, language.id)) {
    const analysis = await threads.analyze(text, language);
    store.putAnalysis(blob, language.id, analysis, await embedNow(path, analysis.chunks));
    onParsed();
  }
  return { ...file, blob, language: language.id, skip: null };
}

function skipped(
  { path, bytes, changedMs }: Pick<TreeFile, "path" | "bytes" | "changedMs">,
  skip: SkipReason,
  language: Language = languageOf(path),
): FileRow {
  return { path, bytes, changedMs, blob: null, language: language.id, skip };
}
