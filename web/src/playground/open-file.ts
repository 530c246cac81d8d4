/** Opens a file of the index in the editor. What is typed stays in the page, and the file on the disk as it is. */
import type { FileResponse } from "@dhi/core/files-protocol";
import { batch } from "@preact/signals";
import { ask, ServerProblem, wordsOf } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { lastChangeAt } from "../server/server-state.ts";
import { edited, fileKey, type OpenFile, openFile, openProblem, outcome } from "./playground-state.ts";

const next = oneAtATime();

export async function open(workspace: string | undefined, path: string, line?: number): Promise<void> {
  const signal = next();
  try {
    const file = await ask<FileResponse>("/v1/file", { query: { workspace, path }, signal });
    batch(() => {
      openFile.value = { ...file, workspace, line };
      openProblem.value = undefined;
      outcome.value = undefined;
    });
  } catch (error) {
    if (signal.aborted) return;
    openProblem.value = wordsOf(error);
  }
}

/**
 * To be called in an effect: a file that changed on the disk shows as it is by now, as long as nobody typed in it, and one
 * that is gone is said to be.
 *
 * @returns what ends it
 */
export function followOpenFile(): (() => void) | undefined {
  if (lastChangeAt.value === undefined) return undefined;
  const file = openFile.peek();
  if (!file || edited.peek().has(fileKey(file))) return undefined;
  const controller = new AbortController();
  void readAgain(file, controller.signal);
  return () => controller.abort();
}

async function readAgain(file: OpenFile, signal: AbortSignal): Promise<void> {
  const { workspace, path } = file;
  const isStill = () => openFile.peek() === file && !edited.peek().has(fileKey(file));
  try {
    const now = await ask<FileResponse>("/v1/file", { query: { workspace, path }, signal });
    if (isStill() && now.text !== file.text) openFile.value = { ...now, workspace, isReadAgain: true };
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    if (error.status === 404 && isStill()) openProblem.value = GONE;
  }
}

const GONE =
  "This file has gone from the index: it was deleted, or is left out by now. Here it is as it was.";
