/** Opens a file of the index in the editor. What is typed stays in the page, and the file on the disk as it is. */
import type { FileResponse } from "@dhi/core/files-protocol";
import { batch } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { openFile, openProblem, outcome } from "./playground-state.ts";

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
