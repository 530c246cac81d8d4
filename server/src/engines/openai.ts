/** `/v1/completions`, as vLLM, SGLang, LM Studio and llama-server speak it; the prompt is in the model's own format. */
import { UpstreamError } from "@dhi/core/upstream-error";
import { z } from "zod";
import type { Engine, Generated, GenerateOptions } from "./engine.ts";
import { createHealthCheck } from "./health-check.ts";
import { readJsonEvents } from "./json-lines.ts";
import { createRouting } from "./routing-headers.ts";
import { createStopFilter } from "./stop-filter.ts";
import { createTranscript, type Transcript, UNTOLD } from "./transcript.ts";
import { createUpstream, errorWords, type Upstream } from "./upstream-http.ts";

export interface OpenaiOptions {
  /** Up to `/v1`, without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Carries the editor session, for routers that keep one on one server: see `routing-headers.ts`. */
  readonly sessionHeader: string;
  readonly temperature?: number;
}

/** OpenAI's own limit, which servers copy; the text is searched for the others here. */
const MOST_STOPS = 4;
/** What some servers do not know. Refused once, they are left out from then on. */
const NICETIES = { logprobs: 1, stream_options: { include_usage: true }, seed: 0 };

export function createOpenaiEngine({
  baseUrl,
  model,
  apiKey,
  sessionHeader,
  temperature = 0,
}: OpenaiOptions): Engine {
  const upstream = createUpstream({
    name: "openai",
    url: baseUrl,
    ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }),
    secret: apiKey,
  });
  const routing = createRouting(sessionHeader);
  let niceties: Partial<typeof NICETIES> = NICETIES;

  const check = createHealthCheck(baseUrl, async (signal) => {
    const answer = modelList.safeParse(await (await upstream.get("/models", signal)).json());
    if (!answer.success) throw upstream.error(`/models is no list of models at ${baseUrl}`);
    const served = answer.data.data.map(({ id }) => id);
    if (served.includes(model)) return { status: "ok", detail: `${model} at ${baseUrl}` };
    return { status: "down", detail: `model ${model} is not served; served: ${served.join(", ") || "none"}` };
  });

  /** Asks again without what the server has just refused by name; each can be refused once, so this ends. */
  async function post(
    body: object,
    headers: Record<string, string>,
    { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
  ): Promise<Response> {
    // Another call may learn meanwhile what the server refuses.
    const sent = niceties;
    try {
      return await upstream.post("/completions", { ...body, ...seeded(sent, seed) }, signal, headers);
    } catch (error) {
      const refused = error instanceof UpstreamError && [400, 422].includes(error.status ?? 0);
      if (!refused || without(sent, error.message) === sent) throw error;
      niceties = without(niceties, error.message);
      return post(body, headers, { seed, signal });
    }
  }

  return {
    name: "openai",
    model,
    readsPrompt: true,
    // A key says whose account it is; LM Studio and a vLLM of one's own mostly want none.
    isPaid: Boolean(apiKey),

    async generate({ prompt, request }, options, signal) {
      signal.throwIfAborted();
      // Once the last stop is found here, the server is left as if nobody wanted the rest.
      const leaving = new AbortController();
      const onAbort = () => leaving.abort(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      const transcript = createTranscript(options, signal);
      try {
        const stop = options.stop.slice(0, MOST_STOPS);
        const body = {
          model,
          prompt,
          stream: true,
          max_tokens: options.maxTokens,
          ...(stop.length > 0 && { stop }),
          // Left out, it is 1 for OpenAI's own reason: chat.
          temperature: options.sampling?.temperature ?? temperature,
        };
        const response = await post(body, routing.headersFor(request), {
          seed: options.sampling?.seed ?? NICETIES.seed,
          signal: leaving.signal,
        });
        routing.remember(request, response.headers);
        return await readAnswer(response, options.stop, { upstream, transcript });
      } catch (error) {
        const failure = upstream.failure(error, signal);
        if (failure instanceof UpstreamError) check.forget();
        throw failure;
      } finally {
        signal.removeEventListener("abort", onAbort);
        leaving.abort();
      }
    },

    health: check.health,

    async warmUp(signal) {
      // Servers of this kind load before they listen; what is left is the connection.
      check.forget();
      await check.health(signal);
    },
  };
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Refused, it is left out. */
const seeded = (niceties: Partial<typeof NICETIES>, seed: number): Partial<typeof NICETIES> =>
  niceties.seed === undefined ? niceties : { ...niceties, seed };

/** @returns `niceties` itself when the words name none of them */
function without(niceties: Partial<typeof NICETIES>, words: string): Partial<typeof NICETIES> {
  const kept = Object.entries(niceties).filter(([name]) => !words.includes(name));
  return kept.length < Object.keys(niceties).length ? Object.fromEntries(kept) : niceties;
}

/** The two layouts that are about: of OpenAI's completions (vLLM, SGLang), and of its chat (llama-server). */
const logprobs = z.union([
  z.object({ token_logprobs: z.array(z.number().nullable()) }).transform((l) => l.token_logprobs),
  z
    .object({ content: z.array(z.object({ logprob: z.number() })) })
    .transform((l) => l.content.map((t) => t.logprob)),
]);

const event = z.object({
  choices: z
    .array(
      z.object({
        text: z.string().default(""),
        logprobs: logprobs.nullish().catch(null),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  /** In an event of its own at the end, without choices; until then null (vLLM) or zeros (Ollama). */
  usage: z
    .object({
      prompt_tokens: z.int(),
      completion_tokens: z.int().default(0),
      prompt_tokens_details: z.object({ cached_tokens: z.int().nullish() }).nullish(),
    })
    .nullish(),
});

async function readAnswer(
  response: Response,
  stop: GenerateOptions["stop"],
  { upstream, transcript }: { readonly upstream: Upstream; readonly transcript: Transcript },
): Promise<Generated> {
  const filter = createStopFilter(stop);
  let finish: "stop" | "length" | undefined;
  let usage = UNTOLD;
  for await (const value of readJsonEvents(response, upstream)) {
    const words = errorWords(value);
    if (words !== undefined) throw upstream.error(words);
    const part = event.safeParse(value);
    if (!part.success) throw upstream.error(`unexpected answer: ${z.prettifyError(part.error)}`);
    const [choice] = part.data.choices;
    if (choice) {
      transcript.add(
        filter.push(choice.text),
        (choice.logprobs ?? []).filter((l) => l !== null),
      );
      if (filter.stopped) return transcript.end({ finish: "stop", usage: UNTOLD });
      if (choice.finish_reason === "abort") throw upstream.error("the server ended the answer (abort)");
      if (choice.finish_reason) finish = choice.finish_reason === "length" ? "length" : "stop";
    }
    const told = part.data.usage;
    if (told)
      usage = {
        promptTokens: told.prompt_tokens,
        cachedTokens: told.prompt_tokens_details?.cached_tokens ?? null,
        completionTokens: told.completion_tokens,
      };
  }
  if (!finish) throw upstream.error(`the answer ended early, after ${transcript.text.length} characters`);
  transcript.add(filter.rest());
  return transcript.end({ finish, usage });
}
