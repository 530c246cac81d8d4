/** Bytes → what they are as a file of the index; and a file of the disk, with what is in it. */
import type { SkipReason } from "@dhi/core/chunk";
import { blobId } from "@dhi/core/index-db";
import { type Language, languageOf } from "@dhi/core/languages";
import { type Analysis, analysisOf } from "./analysis.ts";
import type { Analyzer } from "./chunker/analyze.ts";
import { decodeText } from "./decode-text.ts";
import { readSource } from "./read-source.ts";
import { skipByText } from "./skip-reason.ts";

/** @returns the text and git's id of it, or why it stays out */
export function contentOf(
  bytes: Uint8Array,
  { id }: Pick<Language, "id">,
): { readonly text: string; readonly blob: string } | SkipReason {
  const text = decodeText(bytes);
  if (text === undefined) return "binary";
  return skipByText(text, id) ?? { text, blob: blobId(bytes) };
}

export interface FileToRead {
  /** Relative, for the rules that go by name. */
  readonly path: string;
  /** Where it lies. */
  readonly file: string;
  readonly maxFileBytes: number;
  /** Otherwise its blob is enough. */
  readonly wantsAnalysis: boolean;
  /** With the hash embedder's vectors of all chunks: for a file of which none are known. */
  readonly wantsVectors?: boolean;
}

/** A file that could be opened. */
export interface FileContent {
  readonly bytes: number;
  /** See {@link SourceBytes}. */
  readonly changedMs: number | null;
  /** Or why its content keeps it out. */
  readonly content: { readonly blob: string; readonly analysis: Analysis | undefined } | SkipReason;
}

/** @returns a reason for what cannot be opened, or need not be */
export function readContent(
  { path, file, maxFileBytes, wantsAnalysis, wantsVectors = false }: FileToRead,
  analyzer: Analyzer,
): FileContent | SkipReason {
  const source = readSource(path, file, maxFileBytes);
  if (typeof source === "string") return source;
  const language = languageOf(path);
  const read = contentOf(source.bytes, language);
  const found = { bytes: source.bytes.byteLength, changedMs: source.changedMs };
  if (typeof read === "string") return { ...found, content: read };
  const analysis = wantsAnalysis
    ? analysisOf(analyzer, read.text, language, wantsVectors ? path : undefined)
    : undefined;
  return { ...found, content: { blob: read.blob, analysis } };
}
