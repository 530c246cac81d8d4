/** How each kind of model server is asked and answers; what the fake upstream says, and no more than engines read. */

export type Protocol = "ollama" | "llama-server" | "openai";

export interface FakeProtocol {
  /** Of the call that completes. */
  readonly path: string;
  /** What such a call asks for; `undefined` for one that only loads the model. */
  wanted(body: unknown): Wanted | undefined;
  /** One token, as it is streamed. */
  piece(token: string, logprob: number): string;
  /** What ends a stream. */
  end(how: End): string;
  /** An error's body. */
  error(words: string, status: number): string;
  /** An error inside a stream. */
  errorInside(words: string): string;
  /** Answers to GET, by path. */
  readonly gets: Readonly<Record<string, (model: string) => unknown>>;
}

export interface Wanted {
  readonly prompt: string;
  readonly stop: readonly string[];
  readonly maxTokens: number;
}

export interface End {
  readonly finish: "stop" | "length";
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const CACHED_TOKENS = 7;

interface OllamaBody {
  readonly prompt?: string;
  readonly options?: { readonly stop?: string[]; readonly num_predict?: number };
}
interface LlamaServerBody {
  readonly prompt: string;
  readonly stop?: string[];
  readonly n_predict: number;
}
interface OpenaiBody {
  readonly prompt: string;
  readonly stop?: string[];
  readonly max_tokens: number;
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

export const fakeProtocols: Readonly<Record<Protocol, FakeProtocol>> = {
  ollama: {
    path: "/api/generate",
    wanted(body) {
      const { prompt, options } = body as OllamaBody;
      return prompt
        ? { prompt, stop: options?.stop ?? [], maxTokens: options?.num_predict ?? Infinity }
        : undefined;
    },
    piece: (response, logprob) => line({ response, done: false, logprobs: [{ token: response, logprob }] }),
    end: ({ finish, promptTokens, completionTokens }) =>
      line({
        ...{ response: "", done: true, done_reason: finish },
        ...{ prompt_eval_count: promptTokens, prompt_eval_duration: 1e9, eval_count: completionTokens },
      }),
    error: (error) => JSON.stringify({ error }),
    errorInside: (error) => line({ error }),
    gets: { "/api/tags": (model) => ({ models: [{ name: model }] }) },
  },
  "llama-server": {
    path: "/completion",
    wanted(body) {
      const { prompt, stop = [], n_predict } = body as LlamaServerBody;
      return { prompt, stop, maxTokens: n_predict };
    },
    piece: (content, logprob) =>
      event({ content, stop: false, completion_probabilities: [{ token: content, logprob }] }),
    end: ({ finish, promptTokens, completionTokens }) =>
      event({
        ...{ content: "", stop: true, stop_type: finish === "length" ? "limit" : "word" },
        ...{ tokens_evaluated: promptTokens, tokens_predicted: completionTokens },
        timings: { cache_n: CACHED_TOKENS, prompt_n: promptTokens - CACHED_TOKENS },
      }),
    error: (message, code) => JSON.stringify({ error: { code, message, type: "fake_error" } }),
    errorInside: (message) => event({ error: { code: 500, message, type: "server_error" } }),
    gets: {
      "/health": () => ({ status: "ok" }),
      "/props": (model) => ({ total_slots: 2, model_path: `/models/${model}.gguf` }),
    },
  },
  openai: {
    path: "/v1/completions",
    wanted(body) {
      const { prompt, stop = [], max_tokens } = body as OpenaiBody;
      return { prompt, stop, maxTokens: max_tokens };
    },
    piece: (text, logprob) =>
      event({
        choices: [{ text, finish_reason: null, logprobs: { tokens: [text], token_logprobs: [logprob] } }],
        usage: { prompt_tokens: 0, completion_tokens: 0 },
      }),
    end: ({ finish, promptTokens: prompt_tokens, completionTokens: completion_tokens }) =>
      event({ choices: [{ text: "", finish_reason: finish, logprobs: null }] }) +
      event({
        choices: [],
        usage: { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens: CACHED_TOKENS } },
      }) +
      "data: [DONE]\n\n",
    error: (message, code) => JSON.stringify({ error: { message, type: "fake", code } }),
    errorInside: (message) => event({ error: { message, type: "fake", code: 500 } }),
    gets: { "/v1/models": (model) => ({ object: "list", data: [{ id: model, object: "model" }] }) },
  },
};
