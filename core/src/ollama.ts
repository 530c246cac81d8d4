/** Ollama's client, with what every call of ours needs: one place for abort and for the words of an error. */
import { Ollama } from "ollama";
import { describeError, UpstreamError } from "./upstream-error.ts";

/**
 * A client whose requests end with the signal. The library can abort a stream it has already returned, but not the wait
 * for the first byte, which is where a cold prompt spends its time; so each call gets a `fetch` of its own.
 */
export function ollamaClient(host: string, signal: AbortSignal): Ollama {
  return new Ollama({ host, fetch: (input, init) => fetch(input, { ...init, signal }) });
}

/**
 * @returns what to throw for a failed call: the signal's own reason when it fired, else Ollama's words as an
 * {@link UpstreamError}
 */
export function ollamaError(error: unknown, host: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const status = (error as { status_code?: unknown }).status_code;
  const words = describeError(error);
  // A refused connection names the address by itself.
  const where = typeof status === "number" || words.includes(new URL(host).host) ? "" : ` at ${host}`;
  return new UpstreamError("ollama", `${typeof status === "number" ? `${status} ` : ""}${words}${where}`, {
    cause: error,
  });
}

/** Ollama adds `:latest` to a name without a tag. */
export const sameModel = (a: string, b: string): boolean => withTag(a) === withTag(b);
const withTag = (name: string) => (name.includes(":") ? name : `${name}:latest`);

/**
 * @returns names of the models Ollama has
 * @throws {UpstreamError} when it does not answer
 */
export async function ollamaModels(host: string, signal: AbortSignal): Promise<string[]> {
  try {
    return (await ollamaClient(host, signal).list()).models.map((m) => m.name);
  } catch (error) {
    throw ollamaError(error, host, signal);
  }
}

/**
 * @param value as OLLAMA_KEEP_ALIVE has it
 * @returns what `keep_alive` takes: Ollama reads a string as a Go duration, which needs a unit, and a number as seconds
 */
export const ollamaKeepAlive = (value: string): string | number =>
  /^-?\d+$/.test(value) ? Number(value) : value;
