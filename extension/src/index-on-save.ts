/** Tells the server about saved files, once per burst of saves of a file. */
import { wait } from "@dhi/client/wait";
import type { IndexResponse } from "@dhi/core/protocol";
import type { Located } from "./locate-file.ts";
import { isSecretFile } from "./secret-file.ts";
import { callForJson, type Server } from "./server.ts";

export interface IndexOnSave {
  /** Settles when this save has been indexed, failed, or been overtaken by the next save of the file. */
  saved(file: Located, server: Server): Promise<void>;
  dispose(): void;
}

export interface IndexOnSaveDeps {
  readonly onIndexed: (file: Located, answer: IndexResponse) => void;
  /** Never a pop-up: saving must not be punished for a server that is down. */
  readonly onFailed: (file: Located, server: Server, error: unknown) => void;
}

/** Format-on-save and "save all" write a file more than once. */
const DEBOUNCE_MS = 200;
const ANSWER_MS = 30_000;

export function createIndexOnSave(deps: IndexOnSaveDeps, debounceMs = DEBOUNCE_MS): IndexOnSave {
  const pending = new Map<string, AbortController>();
  return {
    async saved(file, server) {
      const { workspace, path } = file;
      if (isSecretFile(path)) return;
      const key = `${workspace ?? ""}:${path}`;
      pending.get(key)?.abort();
      const mine = new AbortController();
      pending.set(key, mine);
      try {
        await wait(debounceMs, mine.signal);
        const body = { ...(workspace !== undefined && { workspace }), file_path: path };
        const call = { method: "POST", path: "/index", body } as const;
        const within = AbortSignal.any([mine.signal, AbortSignal.timeout(ANSWER_MS)]);
        deps.onIndexed(file, await callForJson<IndexResponse>(server, call, within));
      } catch (error) {
        if (!mine.signal.aborted) deps.onFailed(file, server, error);
      } finally {
        if (pending.get(key) === mine) pending.delete(key);
      }
    },
    dispose() {
      for (const controller of pending.values()) controller.abort();
    },
  };
}
