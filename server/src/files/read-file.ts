/** `GET /v1/file`: a file's text as the index has it. The disk is not asked, so nothing that is left out can be read. */
import type { FileRequest, FileResponse } from "@dhi/core/files-protocol";
import { HttpError } from "@dhi/core/http-error";
import { type IndexDb, prepared } from "@dhi/core/index-db";
import type { Workspaces } from "../workspaces.ts";

/** @throws {HttpError} 404 for what is not in the index; else as {@link Workspaces.fileOf} */
export function readFile(asked: FileRequest, workspaces: Pick<Workspaces, "fileOf">): FileResponse {
  const { workspace, path } = workspaces.fileOf(asked);
  const db = workspace.index.get();
  const file = db && liveFile(db, path);
  if (!file)
    throw new HttpError(
      404,
      "not_indexed",
      `path: "${path}" is not in the index`,
      "GET /v1/explain?path= says why.",
    );
  return { path, ...file };
}

/** A file's chunks, concatenated in order, are the file. */
export function liveFile(db: IndexDb, path: string): Pick<FileResponse, "language" | "text"> | undefined {
  const live = prepared<[string], { blob_id: number; language: string }>(
    db,
    "SELECT blob_id, language FROM live WHERE path = ?",
  ).get(path);
  if (!live) return undefined;
  const chunks = prepared<[number], { text: string }>(
    db,
    "SELECT text FROM chunks JOIN texts ON texts.id = text_id WHERE blob_id = ? ORDER BY ordinal",
  ).all(live.blob_id);
  return { language: live.language, text: chunks.map((chunk) => chunk.text).join("") };
}
