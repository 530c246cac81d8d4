/** The wire of `POST /v1/completions`, as editors made for OpenAI's API speak it. Further fields of theirs are ignored. */
import { z } from "zod";
import { path, text, workspace } from "./wire-fields.ts";

const stop = z.union([text, z.array(text).max(64)]);

export const openaiCompletionRequest = z.object({
  model: text
    .max(200)
    .nullish()
    .describe("Any: the configured model answers, and says so. PUT /v1/config changes it"),
  prompt: text.describe(
    "Code before the cursor; or a prompt in the format of a known model family, which is taken apart again",
  ),
  suffix: text.nullish().describe("Code after the cursor. With it, the prompt is taken as it is"),
  max_tokens: z.int().min(1).nullish(),
  stop: stop.nullish().describe("Any number of them"),
  stream: z.boolean().nullish(),
  n: z.literal(1).nullish(),
  user: text.max(200).nullish().describe("A newer request of the same user ends the older one"),
  path: path
    .optional()
    .describe(
      "Ours: the file, as in POST /v1/fim. Without it, an indexed file is looked for that has the same lines",
    ),
  languageId: text.max(64).optional().describe("Ours: as VS Code names it"),
  workspace,
});
export type OpenaiCompletionRequest = z.infer<typeof openaiCompletionRequest>;

/** An empty one is as good as none, as an empty `user` is. */
export const openaiCompletionHeaders = z.object({
  "x-session-id": text.max(200).optional().describe("One per editor window; counts instead of `user`"),
  "x-dhi-path": text.max(4096).optional().describe("The file, where an editor can set headers alone"),
});
export type OpenaiCompletionHeaders = z.infer<typeof openaiCompletionHeaders>;

const choice = z.object({
  index: z.literal(0),
  text: z.string(),
  logprobs: z.null(),
  finish_reason: z.enum(["stop", "length"]).nullable().describe("null but in the last chunk of a stream"),
});
export const openaiCompletion = z.object({
  id: z.string(),
  object: z.literal("text_completion"),
  created: z.int().describe("Unix seconds"),
  model: z.string(),
  choices: z.array(choice),
  usage: z
    .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .describe("0 where the engine does not count; in a stream only in the last chunk"),
});
export type OpenaiCompletion = z.infer<typeof openaiCompletion>;

export const openaiModels = z.object({
  object: z.literal("list"),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal("model"),
      created: z.int().describe("Unix seconds; 0, since nobody knows"),
      owned_by: z.string(),
    }),
  ),
});
