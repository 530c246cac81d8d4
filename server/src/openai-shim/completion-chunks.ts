/** Our answer → OpenAI's, whole or in chunks. */
import type { OpenaiCompletion, OpenaiCompletionRequest } from "@dhi/core/openai-protocol";
import type { FimDone } from "@dhi/core/protocol";
import { createStopFilter } from "../engines/stop-filter.ts";

export interface Chunks {
  /** @returns what may be sent of a piece now; `undefined` for nothing */
  piece(text: string): OpenaiCompletion | undefined;
  /** The last one, with whatever is left of the answer and what it cost. */
  end(done: FimDone): OpenaiCompletion;
}

export interface Head {
  readonly id: string;
  /** Of the model that is asked; with ENGINE=auto another may answer. */
  readonly model: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The client's stops count here: a cached or joined text was written for other ones. */
export function createChunks({ stop }: OpenaiCompletionRequest, { id, model, now }: Head): Chunks {
  const stops = (typeof stop === "string" ? [stop] : (stop ?? [])).filter(Boolean);
  const filter = createStopFilter(stops);
  let pushed = "";

  function chunk(
    text: string,
    more: Partial<OpenaiCompletion> = {},
    finish: "stop" | "length" | null = null,
  ) {
    const choice = { index: 0, text, logprobs: null, finish_reason: finish } as const;
    const created = Math.floor(now / 1000);
    return { ...{ id, object: "text_completion" as const, created, model, choices: [choice] }, ...more };
  }

  return {
    piece(text) {
      pushed += text;
      const sure = filter.push(text);
      return sure === "" ? undefined : chunk(sure);
    },
    end({ completion, finish, usage, model: answered }) {
      // What was sent cannot be taken back; an answer that turned out another adds nothing to it.
      const rest = completion.startsWith(pushed)
        ? filter.push(completion.slice(pushed.length)) + filter.rest()
        : "";
      const prompt_tokens = usage.promptTokens ?? 0;
      const completion_tokens = usage.completionTokens ?? 0;
      const isLong = finish === "length" && !filter.stopped;
      return chunk(
        rest,
        {
          model: answered,
          usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
        },
        isLong ? "length" : "stop",
      );
    },
  };
}
