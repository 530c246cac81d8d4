/**
 * ★ One file on its way into the index: read → skip? → chunk → symbols → embed → store.
 *
 * A model embeds in the background: vector sync finds chunks without a vector by itself.
 */
import { join } from "node:path";
import type { SkipReason } from "@dhi/core/chunk";
import { type Language, languageOf } from "@dhi/core/languages";
import type { Analysis } from "./analysis.ts";
import type { AnalysisThreads } from "./analysis-threads.ts";
import type { FileRow, IndexStore } from "./index-store.ts";
import { contentOf } from "./read-content.ts";
import type { SourceBytes } from "./read-source.ts";
import type { EmbeddingQueue } from "./vectors/embedding-queue.ts";
import type { TreeFile } from "./work-tree.ts";

export interface IndexFileDeps {
  readonly root: string;
  readonly store: IndexStore;
  readonly threads: Pick<AnalysisThreads, "size" | "read" | "analyze">;
  /** See EmbeddingQueue: what can be embedded at once is found by its meaning as soon as it is found at all. */
  readonly embedNow: EmbeddingQueue["embedNow"];
  /** Whether that makes any. */
  readonly embedsNow: () => boolean;
  readonly maxFileBytes: number;
  /** Most contents are, as those of saves: asking first whether one is known would take longer. */
  readonly areNew?: boolean;
  /** Called for each content that the chunker had to read: one seen before does not. */
  readonly onParsed: () => void;
}

/**
 * Stores what is in the file. What lies at its path changes only with the row that is returned, so that many files can
 * change together; `skip: "missing"` means that it was deleted meanwhile and has no row.
 */
export async function indexFile(file: TreeFile, deps: IndexFileDeps): Promise<FileRow> {
  // Without a time it is looked into as soon as no rule keeps it out unread.
  if (file.skip) return skipped({ ...file, changedMs: null }, file.skip);
  const { path } = file;
  const { root, store, threads, maxFileBytes, embedsNow, areNew = false } = deps;
  // Most contents of a tree that git moved may be known; of one that was never taken in as a whole, few are.
  const isFirst = !store.isComplete();
  for (let wantsAnalysis = areNew || isFirst; ; wantsAnalysis = true) {
    // Of a file that is saved, all texts but one or two have their vectors.
    const wants = { wantsAnalysis, wantsVectors: isFirst && embedsNow() };
    const found = await threads.read({ path, file: join(root, path), maxFileBytes, ...wants });
    if (typeof found === "string") return skipped(file, found);
    const { content, ...read } = found;
    if (typeof content === "string") return skipped({ path, ...read }, content);
    const { blob, analysis } = content;
    const language = languageOf(path).id;
    if (store.isAnalysed(blob, language) || (await putAnalysis({ path, blob, language }, analysis, deps)))
      return { path, ...read, blob, language, skip: null };
  }
}

/** @param language as a client named it; default: by the file's name */
export async function indexSource(
  path: string,
  { bytes, changedMs }: SourceBytes,
  deps: IndexFileDeps,
  language: Language = languageOf(path),
): Promise<FileRow> {
  const file = { path, bytes: bytes.byteLength, changedMs };
  const content = contentOf(bytes, language);
  if (typeof content === "string") return skipped(file, content, language);
  const { text, blob } = content;
  if (!deps.store.isAnalysed(blob, language.id)) {
    const analysis = await deps.threads.analyze(text, language);
    await putAnalysis({ path, blob, language: language.id }, analysis, deps);
  }
  return { ...file, blob, language: language.id, skip: null };
}

/** @returns whether there is one */
async function putAnalysis(
  { path, blob, language }: Readonly<Record<"path" | "blob" | "language", string>>,
  analysis: Analysis | undefined,
  { store, embedNow, onParsed }: IndexFileDeps,
): Promise<boolean> {
  if (!analysis) return false;
  const vectors = await embedNow(path, analysis.chunks);
  // A copy of it may have been faster.
  if (store.isAnalysed(blob, language)) return true;
  store.putAnalysis(blob, language, analysis, vectors);
  onParsed();
  return true;
}

function skipped(
  { path, bytes, changedMs }: Pick<TreeFile, "path" | "bytes" | "changedMs">,
  skip: SkipReason,
  language: Language = languageOf(path),
): FileRow {
  return { path, bytes, changedMs, blob: null, language: language.id, skip };
}
