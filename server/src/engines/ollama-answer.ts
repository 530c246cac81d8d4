/** The stream that Ollama's `/api/generate` answers with: a JSON value a line. */
import { z } from "zod";
import type { Generated } from "./engine.ts";
import { readJsonLines } from "./json-lines.ts";
import type { Transcript } from "./transcript.ts";
import type { Upstream } from "./upstream-http.ts";

export interface OllamaAnswerDeps {
  readonly upstream: Upstream;
  readonly transcript: Transcript;
  /** Called whenever something arrives. */
  readonly alive: () => void;
  /** From tokens and milliseconds; see `cached-tokens.ts`. */
  readonly cachedOf: (tokens: number, readMs: number) => number | null;
}

/** A line of the stream. A stream that began with 200 can still carry an error. */
const piece = z.object({
  response: z.string().default(""),
  logprobs: z.array(z.object({ logprob: z.number() })).default([]),
  done: z.boolean().default(false),
  done_reason: z.string().optional(),
  prompt_eval_count: z.int().optional(),
  /** Nanoseconds. */
  prompt_eval_duration: z.number().optional(),
  eval_count: z.int().optional(),
  error: z.string().optional(),
});

/** @throws {UpstreamError} for an error inside the stream, and for what is no such stream */
export async function readOllamaAnswer(
  response: Response,
  { upstream, transcript, alive, cachedOf }: OllamaAnswerDeps,
): Promise<Generated> {
  alive();
  let last: z.infer<typeof piece> | undefined;
  for await (const line of readJsonLines(response, upstream)) {
    alive();
    const part = piece.safeParse(line);
    if (!part.success) throw upstream.error(`unexpected answer: ${z.prettifyError(part.error)}`);
    if (part.data.error !== undefined) throw upstream.error(part.data.error);
    transcript.add(
      part.data.response,
      part.data.logprobs.map(({ logprob }) => logprob),
    );
    if (part.data.done) last = part.data;
  }
  const { prompt_eval_count: promptTokens, prompt_eval_duration: readNs } = last ?? {};
  return transcript.end({
    // Ollama's guard against endless repetition ends the stream without a last line: what came is the answer.
    finish: last?.done_reason === "length" ? "length" : "stop",
    usage: {
      promptTokens: promptTokens ?? null,
      cachedTokens:
        promptTokens === undefined || readNs === undefined ? null : cachedOf(promptTokens, readNs / 1e6),
      completionTokens: last?.eval_count ?? null,
    },
  });
}
