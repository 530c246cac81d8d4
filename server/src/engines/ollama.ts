/** Ollama: `/api/generate`, with a prompt that is already in the model's own format. */
import { withDeadline } from "@dhi/core/deadline";
import { ollamaError, ollamaKeepAlive, ollamaModels, sameModel } from "@dhi/core/ollama";
import type { Component } from "@dhi/core/protocol";
import { describeError, UpstreamError } from "@dhi/core/upstream-error";
import { z } from "zod";
import type { Engine, Generated, GenerateOptions } from "./engine.ts";
import { readJsonLines } from "./json-lines.ts";

export interface OllamaEngineOptions {
  /** URL without a slash at its end. */
  readonly host: string;
  readonly model: string;
  /** Tokens of prompt and completion together. */
  readonly numCtx: number;
  /** As OLLAMA_KEEP_ALIVE has it: a duration, seconds, or -1. */
  readonly keepAlive: string;
  /** CPU threads; without it Ollama takes one per core. */
  readonly numThread?: number | undefined;
  readonly temperature?: number;
  /**
   * How long a request waits for its first byte, in milliseconds. It is there for a runner that hangs for good, so it
   * must outlast loading a model from a slow disk and the requests queued ahead. Node itself gives up at 300 s.
   */
  readonly firstByteTimeoutMs?: number;
}

const FIRST_BYTE_TIMEOUT_MS = 240_000;
/** A health check that takes longer is as good as none: the server's `/health` waits for it. */
const HEALTH_TIMEOUT_MS = 2_000;
const HEALTH_CACHE_MS = 2_000;

export function createOllamaEngine({
  host,
  model,
  numCtx,
  keepAlive,
  numThread,
  temperature = 0,
  firstByteTimeoutMs = FIRST_BYTE_TIMEOUT_MS,
}: OllamaEngineOptions): Engine {
  // The same on every call, warm-up included: another num_ctx or shift makes Ollama load the model anew (seconds).
  const load = {
    model,
    keep_alive: ollamaKeepAlive(keepAlive),
    // At the end of the context Ollama would drop the prompt's first half and go on with the rest.
    shift: false,
    options: {
      num_ctx: numCtx,
      ...(numThread !== undefined && { num_thread: numThread }),
      // Greedy by default: the same keystroke gets the same ghost text, and code has mostly one likely continuation.
      temperature,
      seed: 0,
      // Code repeats itself for good reason; some versions and model files set a penalty of 1.1.
      repeat_penalty: 1,
    },
  };
  let warmingUp = 0;
  let known: { readonly component: Component; readonly until: number } | undefined;

  async function post(body: object, signal: AbortSignal): Promise<Response> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), firstByteTimeoutMs);
    try {
      const response = await fetch(`${host}/api/generate`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, patience.signal]),
      });
      if (!response.ok) throw new UpstreamError("ollama", await errorWords(response));
      return response;
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      if (patience.signal.aborted && !signal.aborted)
        throw new UpstreamError(
          "ollama",
          `no answer from ${host} in ${firstByteTimeoutMs / 1000} s; \`ollama stop ${model}\` frees a runner that hangs`,
          { cause: error },
        );
      throw ollamaError(error, host, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async function checkModel(signal: AbortSignal): Promise<Component> {
    try {
      const models = await withDeadline(HEALTH_TIMEOUT_MS, signal, (limited) => ollamaModels(host, limited));
      if (models.some((name) => sameModel(name, model)))
        return { status: "ok", detail: `${model} at ${host}` };
      return { status: "down", detail: `model ${model} is missing, run \`ollama pull ${model}\`` };
    } catch (error) {
      const cause = error instanceof UpstreamError ? error.cause : error;
      return { status: "down", detail: `not reachable at ${host} (${describeError(cause)})` };
    }
  }

  return {
    name: "ollama",
    model,
    readsPrompt: true,

    async generate({ prompt }, options, signal) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      try {
        const response = await post(
          {
            ...load,
            prompt,
            stream: true,
            // Without `raw`, Ollama wraps the prompt in the model's chat template and breaks the FIM sentinels.
            raw: true,
            // A prompt that is too long is an error, not one that silently lost its head. Old versions ignore the field.
            truncate: false,
            options: { ...load.options, num_predict: options.maxTokens, stop: options.stop },
          },
          signal,
        );
        return await readAnswer(response, options, startedAt, signal);
      } catch (error) {
        known = undefined;
        if (error instanceof UpstreamError) throw error;
        throw ollamaError(error, host, signal);
      }
    },

    async health(signal) {
      if (known && known.until > performance.now()) return known.component;
      const component = await checkModel(signal);
      if (component.status === "ok" && warmingUp > 0)
        return { status: "starting", detail: `loading ${model}` };
      if (!signal.aborted) known = { component, until: performance.now() + HEALTH_CACHE_MS };
      return component;
    },

    async warmUp(signal) {
      known = undefined;
      warmingUp++;
      try {
        // Without a prompt Ollama loads the model and answers when it is there.
        await (await post({ ...load, stream: false }, signal)).arrayBuffer();
      } catch {
        // What is wrong is what `health` and the first completion will say.
      } finally {
        warmingUp--;
        known = undefined;
      }
    },
  };
}

/** A line of the stream. A stream that began with 200 can still carry an error. */
const piece = z.object({
  response: z.string().default(""),
  done: z.boolean().default(false),
  done_reason: z.string().optional(),
  prompt_eval_count: z.int().optional(),
  eval_count: z.int().optional(),
  error: z.string().optional(),
});

async function readAnswer(
  response: Response,
  { onText }: GenerateOptions,
  startedAt: number,
  signal: AbortSignal,
): Promise<Generated> {
  let text = "";
  let firstTokenMs: number | null = null;
  let last: z.infer<typeof piece> | undefined;
  for await (const line of readJsonLines(response)) {
    const part = piece.safeParse(line);
    if (!part.success)
      throw new UpstreamError("ollama", `unexpected answer: ${JSON.stringify(line).slice(0, 200)}`);
    if (part.data.error !== undefined) throw new UpstreamError("ollama", part.data.error);
    if (part.data.response) {
      firstTokenMs ??= performance.now() - startedAt;
      text += part.data.response;
      onText?.(part.data.response);
      // What has already arrived is read without waiting, so the signal must be asked for.
      signal.throwIfAborted();
    }
    if (part.data.done) last = part.data;
  }
  return {
    text,
    // Ollama's guard against endless repetition ends the stream without a last line: what came is the answer.
    finish: last?.done_reason === "length" ? "length" : "stop",
    usage: {
      promptTokens: last?.prompt_eval_count ?? null,
      // It counts cached tokens as read ones and does not tell them apart (0.17).
      cachedTokens: null,
      completionTokens: last?.eval_count ?? null,
    },
    meanLogprob: null,
    confidence: null,
    firstTokenMs,
  };
}

/** `404 model 'x' not found`: the status, and the server's words where it has any. */
async function errorWords(response: Response): Promise<string> {
  const body = await response.text();
  let words = body;
  try {
    words = z.object({ error: z.string() }).parse(JSON.parse(body)).error;
  } catch {
    // Not Ollama's own error (a proxy's page): quoted as it is.
  }
  return `${response.status} ${(words || response.statusText).trim().slice(0, 500)}`;
}
