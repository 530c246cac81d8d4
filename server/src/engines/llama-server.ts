/** llama.cpp's own server: `/completion`, with a prompt that is already in the model's own format. */
import { basename } from "node:path";
import { UpstreamError } from "@dhi/core/upstream-error";
import { z } from "zod";
import type { Engine, Generated } from "./engine.ts";
import { createHealthCheck } from "./health-check.ts";
import { readJsonEvents } from "./json-lines.ts";
import { ANY_SLOT, createSlotLeases, type SlotLeases } from "./slot-leases.ts";
import { createTranscript } from "./transcript.ts";
import { createUpstream, errorWords, type Upstream } from "./upstream-http.ts";

export interface LlamaServerOptions {
  /** URL without a slash at its end. */
  readonly host: string;
  /** The server has one model, whatever it is called; the name is what our answers say. */
  readonly model: string;
  readonly temperature?: number;
}

/** What `/props` tells. */
const props = z.object({ total_slots: z.int().min(1), model_path: z.string().default("") });

export function createLlamaServerEngine({ host, model, temperature = 0 }: LlamaServerOptions): Engine {
  const upstream = createUpstream({ name: "llama-server", url: host });
  let leases: SlotLeases | undefined;
  let slots: number | undefined;

  // Both paths only read what is there. Not asked more often than every 2 s: each answer that the server gives to
  // anybody puts off by a second its look at whether a reader of a long prompt has gone.
  const check = createHealthCheck(host, async (signal) => {
    await (await upstream.get("/health", signal)).arrayBuffer();
    const { total_slots, model_path } = await askProps(signal);
    const slots = total_slots === 1 ? "1 slot" : `${total_slots} slots`;
    return { status: "ok", detail: `${basename(model_path) || model} at ${host}, ${slots}` };
  });

  async function askProps(signal: AbortSignal): Promise<z.infer<typeof props>> {
    const answer = await (await upstream.get("/props", signal)).json();
    const told = props.safeParse(answer);
    if (!told.success) throw upstream.error(`no llama-server: /props has no total_slots at ${host}`);
    slots = told.data.total_slots;
    leases ??= createSlotLeases(slots);
    return told.data;
  }

  return {
    name: "llama-server",
    model,
    readsPrompt: true,
    obeysGrammar: true,
    get slots() {
      return slots;
    },

    async generate({ prompt, request }, options, signal) {
      const transcript = createTranscript(options, signal);
      let lease: ReturnType<SlotLeases["take"]> | undefined;
      try {
        if (!leases) await askProps(signal);
        lease = leases?.take(request.sessionId, request.path);
        const body = {
          prompt,
          stream: true,
          n_predict: options.maxTokens,
          stop: options.stop,
          ...(options.grammar !== undefined && { grammar: options.grammar }),
          id_slot: lease?.slot ?? ANY_SLOT,
          cache_prompt: true,
          // Greedy by default: the same keystroke gets the same ghost text, and code has mostly one likely continuation.
          ...{ temperature, seed: 0, ...options.sampling },
          // Code repeats itself for good reason.
          repeat_penalty: 1,
          // Of the token that was taken alone: that is all the mean needs.
          n_probs: 1,
          // Else the last event carries the prompt and all settings back.
          response_fields: LAST_FIELDS,
        };
        const response = await upstream.post("/completion", body, signal);
        return await readAnswer(response, upstream, transcript);
      } catch (error) {
        const failure = upstream.failure(error, signal);
        if (failure instanceof UpstreamError) {
          check.forget();
          // Gone or loading: it may come back with another number of slots.
          if (failure.status === undefined || failure.status === 503) leases = undefined;
        }
        throw failure;
      } finally {
        lease?.end();
      }
    },

    health: check.health,

    async warmUp(signal) {
      // It loads its model by itself, and runs it once before it says that it is ready.
      check.forget();
      await check.health(signal);
    },
  };
}

const LAST_FIELDS = ["content", "stop", "stop_type", "tokens_predicted", "tokens_evaluated", "timings"];

const event = z.object({
  content: z.string().default(""),
  completion_probabilities: z.array(z.object({ logprob: z.number() })).default([]),
  stop: z.boolean().default(false),
  /** `eos`, `word`, `limit`; `none` when it ended for another reason. */
  stop_type: z.string().optional(),
  tokens_evaluated: z.int().optional(),
  tokens_predicted: z.int().optional(),
  timings: z.object({ cache_n: z.int().optional() }).default({}),
});

async function readAnswer(
  response: Response,
  upstream: Upstream,
  transcript: ReturnType<typeof createTranscript>,
): Promise<Generated> {
  for await (const value of readJsonEvents(response, upstream)) {
    const words = errorWords(value);
    if (words !== undefined) throw upstream.error(words);
    const part = event.safeParse(value);
    if (!part.success) throw upstream.error(`unexpected answer: ${z.prettifyError(part.error)}`);
    const { content, completion_probabilities, stop, stop_type, timings, ...counts } = part.data;
    transcript.add(
      content,
      completion_probabilities.map(({ logprob }) => logprob),
    );
    if (!stop) continue;
    return transcript.end({
      finish: stop_type === "limit" ? "length" : "stop",
      usage: {
        promptTokens: counts.tokens_evaluated ?? null,
        cachedTokens: timings.cache_n ?? null,
        completionTokens: counts.tokens_predicted ?? null,
      },
    });
  }
  throw upstream.error(`the answer ended early, after ${transcript.text.length} characters`);
}
