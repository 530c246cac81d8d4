/** Ollama: `/api/generate`, with a prompt that is already in the model's own format. */
import { ollamaKeepAlive, ollamaModels, sameModel } from "@dhi/core/ollama";
import { UpstreamError } from "@dhi/core/upstream-error";
import { createCachedTokens } from "./cached-tokens.ts";
import type { Engine, EngineInput, Generated, GenerateOptions } from "./engine.ts";
import { createHealthCheck } from "./health-check.ts";
import { readOllamaAnswer } from "./ollama-answer.ts";
import { createWatchdog, Stuck } from "./stuck-watchdog.ts";
import { createTranscript, type Transcript } from "./transcript.ts";
import { createUpstream } from "./upstream-http.ts";

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
  /** Instead of {@link PATIENCE}. */
  readonly patience?: typeof PATIENCE;
}

/** How long nothing at all may arrive before the runner counts as stuck, in milliseconds. */
const PATIENCE = {
  /** For a model that may not be loaded: outlasts a slow disk and the requests queued ahead. Node ends at 300 s. */
  mostMs: 240_000,
  /** For one that has just answered, however fast it reads. */
  leastMs: 30_000,
};
/** Whole contexts that may have to be read before a first token: its own and abandoned ones, which Ollama reads on. */
const CONTEXTS_AHEAD = 4;
/** Ollama's own default, 5 min, less some; while it lasts, a model that answered is still loaded. */
const LOADED_MS = 240_000;
/** A warm-up would be for nothing. */
const WARM_MS = 60_000;
const UNLOAD_TIMEOUT_MS = 10_000;

export function createOllamaEngine({
  host,
  model,
  numCtx,
  keepAlive,
  numThread,
  temperature = 0,
  patience = PATIENCE,
}: OllamaEngineOptions): Engine {
  const upstream = createUpstream({ name: "ollama", url: host });
  const cached = createCachedTokens();
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
  /** One at a time, whoever asks for it. */
  let warmingUp: Promise<void> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let unloading: Promise<void> | undefined;

  const answeredWithin = (ms: number) => performance.now() - answeredAt < ms;

  const watchdog = createWatchdog({
    patienceMs() {
      if (!answeredWithin(LOADED_MS) || cached.rate === undefined) return patience.mostMs;
      const readingMs = (CONTEXTS_AHEAD * numCtx * 1000) / cached.rate;
      return Math.min(patience.mostMs, Math.max(patience.leastMs, readingMs));
    },
    // A client that leaves at the wrong moment can block a runner for good (0.17). A fresh one takes a second to load,
    // and Ollama ends the old one only when no other program waits for it.
    onStuck() {
      check.forget();
      // One that has not answered yet may be loading still: that is reported, and left alone.
      if (!answeredWithin(LOADED_MS)) return;
      answeredAt = Number.NEGATIVE_INFINITY;
      unloading = unload().finally(() => {
        unloading = undefined;
      });
    },
  });

  async function unload(): Promise<void> {
    try {
      const body = { model, keep_alive: 0, stream: false };
      await (
        await upstream.post("/api/generate", body, AbortSignal.timeout(UNLOAD_TIMEOUT_MS))
      ).arrayBuffer();
    } catch {
      // Then Ollama itself is what hangs, which the next call says.
    }
  }

  const check = createHealthCheck(host, async (signal) => {
    const models = await ollamaModels(host, signal);
    if (!models.some((name) => sameModel(name, model)))
      return { status: "down", detail: `model ${model} is missing, run \`ollama pull ${model}\`` };
    if (warmingUp) return { status: "starting", detail: `loading ${model}` };
    return { status: "ok", detail: `${model} at ${host}` };
  });

  async function ask(
    { prompt }: EngineInput,
    options: GenerateOptions,
    transcript: Transcript,
    signal: AbortSignal,
  ): Promise<Generated> {
    const body = {
      ...load,
      prompt,
      stream: true,
      // Without `raw`, Ollama wraps the prompt in the model's chat template and breaks the FIM sentinels.
      raw: true,
      // A prompt that is too long is an error, not one that silently lost its head. Old versions ignore the field.
      truncate: false,
      // Since 0.12.11; older ones ignore it.
      logprobs: true,
      options: { ...load.options, ...options.sampling, num_predict: options.maxTokens, stop: options.stop },
    };
    const cachedOf = cached.begin(prompt);
    return watchdog.during(signal, async (limited, alive) => {
      const response = await upstream.post("/api/generate", body, limited);
      return readOllamaAnswer(response, { upstream, transcript, alive, cachedOf });
    });
  }

  async function loadModel(signal: AbortSignal): Promise<void> {
    check.forget();
    try {
      await watchdog.during(signal, async (limited) => {
        // Without a prompt Ollama loads the model and answers when it is there.
        await (await upstream.post("/api/generate", { ...load, stream: false }, limited)).arrayBuffer();
      });
      answeredAt = performance.now();
    } catch {
      // What is wrong is what `health` and the first completion will say.
    } finally {
      warmingUp = undefined;
      check.forget();
    }
  }

  return {
    name: "ollama",
    model,
    readsPrompt: true,

    async generate(input, options, signal) {
      const transcript = createTranscript(options, signal);
      try {
        const generated = await ask(input, options, transcript, signal).catch(async (error: unknown) => {
          // Text that was given away can't be taken back.
          if (!(error instanceof Stuck) || !unloading || transcript.text !== "") throw error;
          await unloading;
          return ask(input, options, transcript, signal);
        });
        answeredAt = performance.now();
        return generated;
      } catch (error) {
        if (error instanceof Stuck)
          throw upstream.error(
            `${error.message} at ${host}; \`ollama stop ${model}\` frees a runner that hangs`,
          );
        const failure = upstream.failure(error, signal);
        if (failure instanceof UpstreamError) {
          check.forget();
          // After a refusal of this call alone (4xx) the model is still there.
          if (failure.status === undefined || failure.status >= 500) answeredAt = Number.NEGATIVE_INFINITY;
        }
        throw failure;
      }
    },

    health: check.health,

    async warmUp(signal) {
      if (answeredWithin(WARM_MS)) return;
      warmingUp ??= loadModel(signal);
      await warmingUp;
    },
  };
}
