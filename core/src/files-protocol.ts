/** The wire of the workspace's files as the index has them: never one that it leaves out. As `protocol.ts`. */
import { z } from "zod";
import { path, text, workspace } from "./wire-fields.ts";

export const filesRequest = z.object({
  workspace,
  under: text.max(4096).default("").describe("A folder; empty is the workspace"),
  match: text
    .min(1)
    .max(200)
    .optional()
    .describe("Instead of the folder's own entries: files below it whose path contains this, in any case"),
});
export type FilesRequest = z.infer<typeof filesRequest>;

const file = z.object({
  path: z.string(),
  language: z.string().describe("As VS Code names it"),
  bytes: z.int(),
});
export const filesResponse = z.object({
  folders: z.array(z.string()).describe("Paths of those that hold an indexed file; none for a match"),
  files: z.array(file),
  more: z.boolean().describe("Whether there are more than an answer may hold"),
});
export type FilesResponse = z.infer<typeof filesResponse>;

export const fileRequest = z.object({ workspace, path });
export type FileRequest = z.infer<typeof fileRequest>;
export const fileResponse = z.object({
  path: z.string().describe("Relative to the workspace"),
  language: z.string(),
  text: z.string().describe("As it is indexed: of a notebook, the source of its cells"),
});
export type FileResponse = z.infer<typeof fileResponse>;

export const contentsRequest = z.object({ workspace });
export type ContentsRequest = z.infer<typeof contentsRequest>;
export const contentsResponse = z.object({
  languages: z
    .array(
      z.object({
        language: z.string(),
        ...{ files: z.int(), bytes: z.int(), chunks: z.int(), symbols: z.int() },
      }),
    )
    .describe("The one with most files first"),
  lastChanged: z.array(z.string()).describe("Paths that came, changed or went, the last first; each once"),
});
export type ContentsResponse = z.infer<typeof contentsResponse>;
