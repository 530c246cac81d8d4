/** The files that were opened, with what was typed in them. The server knows each edited one as an unsaved buffer. */
import { createDocumentSync } from "@dhi/client/document-sync";
import type { DocumentRequest, DocumentResponse } from "@dhi/core/protocol";
import { ask } from "../server/ask.ts";
import { monacoLanguage } from "./language-id.ts";
import type { monaco as Monaco } from "./monaco.ts";
import { edited, fileKey, type OpenFile } from "./playground-state.ts";

type Model = Monaco.editor.ITextModel;

export interface OpenModels {
  /** @returns the file's model, with what was typed in it before; else with the text that the file has by now */
  modelOf(file: OpenFile): Model;
  /** Its text was changed by typing. */
  changed(file: OpenFile): void;
  /** As it was when it was opened. */
  discard(file: OpenFile): void;
  /** @returns what stands there in the file with this key, offsets in UTF-16 units; `undefined` when it is not open */
  read(key: string, start: number, end: number): string | undefined;
  /** The page is being left, perhaps for good: the files on the disk count again. */
  leave(): void;
  /** The browser had kept the page, and shows it again. */
  comeBack(): void;
  /** The server was away, and may have forgotten the buffers. */
  resend(): void;
  dispose(): void;
}

interface Opened {
  readonly file: OpenFile;
  readonly model: Model;
  /** Undoing everything leads back to it. */
  readonly cleanVersion: number;
}

/** @param sessionId one per page: closing here closes no other editor's buffer */
export function createOpenModels(monaco: typeof Monaco, sessionId: string): OpenModels {
  const opened = new Map<string, Opened>();
  const sync = createDocumentSync({ sessionId, send });

  function tell(file: OpenFile): void {
    const key = fileKey(file);
    const found = opened.get(key);
    if (!found) return;
    const { model, cleanVersion } = found;
    const isDirty = model.getAlternativeVersionId() !== cleanVersion;
    if (isDirty !== edited.peek().has(key)) {
      const keys = new Set(edited.peek());
      if (isDirty) keys.add(key);
      else keys.delete(key);
      edited.value = keys;
    }
    const { workspace, path, language: languageId } = file;
    sync.changed({
      ...{ id: key, place: { workspace, path }, languageId, isDirty },
      version: () => model.getVersionId(),
      text: () => model.getValue(monaco.editor.EndOfLinePreference.LF),
    });
  }

  function renew({ model }: Opened, file: OpenFile): void {
    model.setValue(file.text);
    opened.set(fileKey(file), { file, model, cleanVersion: model.getAlternativeVersionId() });
  }

  function leave(): void {
    for (const key of opened.keys()) sync.closed(key);
  }

  return {
    modelOf(file) {
      const key = fileKey(file);
      const found = opened.get(key);
      if (found) {
        if (!edited.peek().has(key) && found.file.text !== file.text) renew(found, file);
        return found.model;
      }
      const uri = monaco.Uri.from({ scheme: "dhi", authority: file.workspace ?? "", path: `/${file.path}` });
      const model = monaco.editor.createModel(file.text, monacoLanguage(file.language), uri);
      opened.set(key, { file, model, cleanVersion: model.getAlternativeVersionId() });
      return model;
    },
    changed: tell,
    discard(file) {
      const found = opened.get(fileKey(file));
      if (!found) return;
      renew(found, found.file);
      tell(file);
    },
    read: (key, start, end) => opened.get(key)?.model.getValue().slice(start, end),
    leave,
    resend: sync.resend,
    comeBack() {
      for (const { file } of opened.values()) tell(file);
    },
    dispose() {
      leave();
      for (const { model } of opened.values()) model.dispose();
      opened.clear();
      edited.value = new Set();
    },
  };
}

/** What is sent while the page is being left arrives all the same. */
const send = (body: DocumentRequest): Promise<DocumentResponse> =>
  ask("/v1/documents", { method: "POST", body, keepalive: body.closed === true });
