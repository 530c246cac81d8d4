/** Calls to a model server: one place for the words of a failure, and for what its error bodies look like. */
import type { EngineName } from "@dhi/core/protocol";
import { describeError, UpstreamError } from "@dhi/core/upstream-error";
import { z } from "zod";

export interface UpstreamOptions {
  readonly name: EngineName;
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never shown, even where the server's own words hold it. */
  readonly secret?: string | undefined;
}

export interface Upstream {
  /**
   * @throws {UpstreamError} with the server's words when it refuses or can't be reached
   * @throws the signal's reason when it fired
   */
  post(path: string, body: object, signal: AbortSignal, headers?: Record<string, string>): Promise<Response>;
  /** Throws as {@link post}. */
  get(path: string, signal: AbortSignal): Promise<Response>;
  /** @returns what to throw for whatever went wrong in a call, also while its answer was read */
  failure(error: unknown, signal: AbortSignal): unknown;
  /** Words of the server, as an error to throw. */
  error(words: string): UpstreamError;
}

/** The most of a server's words that an error quotes, in characters. */
const MOST_WORDS = 500;

export function createUpstream({ name, url, headers = {}, secret }: UpstreamOptions): Upstream {
  const withoutSecret = (words: string) => (secret ? words.replaceAll(secret, "…") : words);

  async function send(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    try {
      const response = await fetch(`${url}${path}`, { ...init, signal });
      if (response.ok) return response;
      const words = wordsOf(await response.text()) || response.statusText;
      throw new UpstreamError(name, withoutSecret(`${response.status} ${words}`), {
        status: response.status,
        retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
      });
    } catch (error) {
      throw failure(error, signal);
    }
  }

  function failure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof UpstreamError) return error;
    const words = withoutSecret(describeError(error));
    // A refused connection names the address by itself.
    const where = words.includes(new URL(url).host) ? "" : ` at ${url}`;
    return new UpstreamError(name, `${words}${where}`, { cause: error });
  }

  return {
    post: (path, body, signal, more = {}) =>
      send(
        path,
        {
          method: "POST",
          headers: { "content-type": "application/json", ...headers, ...more },
          body: JSON.stringify(body),
        },
        signal,
      ),
    get: (path, signal) => send(path, { headers: { ...headers } }, signal),
    failure,
    error: (words) => new UpstreamError(name, withoutSecret(words.trim().slice(0, MOST_WORDS))),
  };
}

/** What servers put around their words: Ollama a string, llama-server and vLLM an object, FastAPI `detail`. */
const errorBody = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);

/** @returns what a server says in an error's body; the body itself when it is no JSON we know (a proxy's page) */
function wordsOf(body: string): string {
  return (errorWords(parsed(body)) ?? body).trim().slice(0, MOST_WORDS);
}

/** @returns the words of a value that is an error, as servers also send it inside a stream; else `undefined` */
export function errorWords(value: unknown): string | undefined {
  const known = errorBody.safeParse(value);
  return known.success ? known.data : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** @param value seconds or a date, as RFC 9110 (10.2.3) has it */
function retryAfterMs(value: string | null): number | undefined {
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
