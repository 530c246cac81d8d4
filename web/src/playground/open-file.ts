/** Opens a file of the index in the editor. What is typed stays in the page, and the file on the disk as it is. */
import type { FileResponse } from "@dhi/core/files-protocol";
import { batch } from "@preact/signals";
import { ask, ServerProblem } from "../server/ask.ts";
import { openFile, openProblem, outcome } from "./playground-state.ts";

let latest: AbortController | undefined;

export async function open(workspace: string | undefined, path: string): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  try {
    const file = await ask<FileResponse>("/v1/file", { query: { workspace, path }, signal });
    batch(() => {
      openFile.value = { ...file, workspace };
      openProblem.value = undefined;
      outcome.value = undefined;
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    openProblem.value = error.message;
  }
}
