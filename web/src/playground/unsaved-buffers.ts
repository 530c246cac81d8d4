/** Tells the server what the editor holds: `POST /v1/documents`. The buffer stands for its file until it is closed. */
import type { DocumentResponse } from "@dhi/core/protocol";
import { ask } from "../server/ask.ts";

export interface Buffer {
  readonly workspace: string | undefined;
  readonly path: string;
  readonly languageId: string;
}

export interface UnsavedBuffers {
  /** Sent once typing pauses; what was typed before is overtaken. */
  changed(buffer: Buffer, version: number, text: () => string): void;
  /** The file on the disk counts again. Nothing is sent for one that was never changed. */
  close(buffer: Buffer): void;
}

/** As long as somebody who types on would need for the next few keys. */
const PAUSE_MS = 400;

/** @param sessionId one per page: closing here closes no other editor's buffer */
export function createUnsavedBuffers(sessionId: string, send = post): UnsavedBuffers {
  const known = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    changed(buffer, version, text) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        known.add(keyOf(buffer));
        void send({ ...buffer, sessionId, version, content: text() });
      }, PAUSE_MS);
    },
    close(buffer) {
      clearTimeout(timer);
      if (!known.delete(keyOf(buffer))) return;
      const { workspace, path } = buffer;
      void send({ workspace, path, sessionId, closed: true });
    },
  };
}

const keyOf = ({ workspace, path }: Buffer): string => `${workspace ?? ""}:${path}`;

/** A buffer that cannot be sent makes completions older, not wrong: the header says when the server is away. */
const post = (body: object): Promise<unknown> =>
  ask<DocumentResponse>("/v1/documents", { method: "POST", body, keepalive: "closed" in body }).catch(
    () => {},
  );
