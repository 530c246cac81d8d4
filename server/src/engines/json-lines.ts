/** The two ways in which model servers stream JSON: a value a line (Ollama), or server-sent events (all others). */
import type { Upstream } from "./upstream-http.ts";

/**
 * The values of a body that carries one a line, as they arrive.
 *
 * @throws {UpstreamError} for a line which is no JSON; that is also how a body that was cut inside a line ends
 */
export async function* readJsonLines(response: Response, upstream: Upstream): AsyncGenerator<unknown> {
  for await (const line of readLines(response)) if (line.trim()) yield parseJson(line, upstream);
}

/**
 * The values of a stream of server-sent events, one a `data:` line, up to its end or `[DONE]`. llama-server once sent
 * its errors as `error:` lines; they are values like any other.
 *
 * @throws as {@link readJsonLines}
 */
export async function* readJsonEvents(response: Response, upstream: Upstream): AsyncGenerator<unknown> {
  for await (const line of readLines(response)) {
    const [, field, value = ""] = /^(\w+): ?(.*)$/.exec(line.trimEnd()) ?? [];
    if (field !== "data" && field !== "error") continue;
    if (value === "[DONE]") return;
    yield parseJson(value, upstream);
  }
}

async function* readLines(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest) yield rest;
}

function parseJson(line: string, upstream: Upstream): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw upstream.error(`a line of its answer is no JSON${toTell(line.trim())}`);
  }
}

/** Errors are logged, and half of an answer is code: only somebody else's page is quoted. */
const toTell = (line: string): string =>
  line.startsWith("<") ? `: ${line.slice(0, 200)}` : ` (${line.length} characters)`;
