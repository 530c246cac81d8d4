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

export const skippedRequest = z.object({
  workspace,
  reason: text
    .max(64)
    .optional()
    .describe("Only files left out for this; the reasons are those of an answer"),
  match: filesRequest.shape.match.describe("Only files whose path contains this, in any case"),
  after: text.max(4096).default("").describe("Goes on behind this path: `next` of the answer before"),
});
export type SkippedRequest = z.infer<typeof skippedRequest>;
/** Files git counts to the workspace and the index leaves out. What a .gitignore names is not listed: nobody reads it. */
export const skippedResponse = z.object({
  reasons: z
    .array(z.object({ reason: z.string(), files: z.int() }))
    .describe("Of all files that match, whatever reason was asked for; the most frequent first"),
  files: z
    .array(z.object({ path: z.string(), reason: z.string(), bytes: z.int() }))
    .describe("In the order of their paths; GET /v1/explain says more of one"),
  next: z.string().nullable().describe("What to send as `after` for more; null when this is the end"),
});
export type SkippedResponse = z.infer<typeof skippedResponse>;
