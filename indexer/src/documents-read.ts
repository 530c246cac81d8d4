/** An unsaved buffer, read as the file would be that it is saved to. */
import { blobId } from "@dhi/core/index-db";
import { type Language, languageById, languageOf } from "@dhi/core/languages";
import type { OpenDocument } from "./documents.ts";
import { type IndexFileDeps, indexSource } from "./index-file.ts";
import type { FileRow, IndexStore } from "./index-store.ts";

/** Stores what is in it; it counts at its path only with the row that is returned. */
export async function readDocument(document: OpenDocument, deps: IndexFileDeps): Promise<FileRow> {
  const { path, languageId, content } = document;
  const language = languageFor(path, languageId);
  const bytes = asOnDisk(path, Buffer.from(content), deps.store);
  if (bytes.byteLength <= deps.maxFileBytes)
    return indexSource(path, { bytes, changedMs: null }, deps, language);
  return {
    ...{ path, blob: null, language: language.id, bytes: bytes.byteLength, changedMs: null },
    skip: "too-large",
  };
}

/** A file whose name tells is read by its name once it is saved, whatever the editor calls it. */
function languageFor(path: string, languageId: string): Language {
  const byName = languageOf(path);
  return byName.id === "plaintext" && languageId ? languageById(languageId) : byName;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Editors keep the byte order mark out of a buffer: with it, an unchanged one is recognised as what lies on the disk. */
function asOnDisk(path: string, bytes: Buffer, store: Pick<IndexStore, "files">): Buffer {
  const file = store.files([path]).find((f) => f.path === path);
  if (file?.bytes !== bytes.byteLength + BYTE_ORDER_MARK.byteLength) return bytes;
  const marked = Buffer.concat([BYTE_ORDER_MARK, bytes]);
  return blobId(marked) === file.blob ? marked : bytes;
}
