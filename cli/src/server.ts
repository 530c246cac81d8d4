/** Dhi's server, asked by HTTP. */
import type { ErrorResponse } from "@dhi/core/protocol";

/**
 * Every call throws {@link ServerAway} when nobody answers, or somebody else, and {@link ServerRefused} with the server's own
 * words.
 */
export interface Server {
  /** Where it listens. */
  readonly url: string;
  get<T>(
    path: string,
    query: Readonly<Record<string, string>>,
    isAnswer: (body: unknown) => body is T,
    /** Who waits longer than this for it is told that nobody answers. */
    withinMs?: number,
  ): Promise<T>;
  send<T>(
    method: "POST" | "PUT",
    path: string,
    body: object,
    isAnswer: (body: unknown) => body is T,
  ): Promise<T>;
  /** One value for each event of a stream, as it comes. When the signal fires the stream is left, and ends here as well. */
  events<T>(
    path: string,
    body: object,
    isEvent: (body: unknown) => body is T,
    signal: AbortSignal,
  ): AsyncGenerator<T>;
  /** @param type of the answer, such as `text/csv`; another one is somebody else's */
  text(path: string, query: Readonly<Record<string, string>>, type: string): Promise<string>;
}

/** Nobody answers at the server's address, or somebody else does. */
export class ServerAway extends Error {
  override readonly name = "ServerAway";
  readonly hint =
    "Start it with `npm start` or `docker compose up`, or name another with --server or DHI_URL.";
}

/** The server will not answer this. */
export class ServerRefused extends Error {
  override readonly name = "ServerRefused";
  readonly code: string;
  readonly hint: string | undefined;
  /** As against a server that is not well or wants a token. */
  readonly isCallersFault: boolean;

  constructor(status: number, { code, message, hint }: ErrorResponse["error"]) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.isCallersFault = status === 400 || status === 404 || status === 409;
  }
}

const TIMEOUT_MS = 30_000;
/** A stream has begun with 200 when it fails. */
const UPSTREAM_FAILED = 502;

interface Answer {
  readonly response: Response;
  /** All of its body. */
  readonly text: string;
}

/** @returns `undefined` for what is no http(s) URL */
export function serverAt(url: string, token: string | undefined): Server | undefined {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  const base = url.replace(/\/+$/, "");

  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const away = (error: unknown) =>
    new ServerAway(`no answer from ${base} (${reasonOf(error)})`, { cause: error });

  async function ask(path: string, init: RequestInit = {}, withinMs = TIMEOUT_MS): Promise<Answer> {
    try {
      const signal = AbortSignal.timeout(withinMs);
      const response = await fetch(`${base}${path}`, { ...init, headers, signal });
      return { response, text: await response.text() };
    } catch (error) {
      throw away(error);
    }
  }

  async function* linesOf(path: string, body: object, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const response = await fetch(`${base}${path}`, {
        ...{ method: "POST", body: JSON.stringify(body), headers, signal },
      });
      if (!response.ok || !response.body) throw refusal(response, parsed(await response.text()));
      let rest = "";
      for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + part).split("\n");
        rest = lines.pop() ?? "";
        yield* lines;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw error instanceof ServerRefused || error instanceof ServerAway ? error : away(error);
    }
  }

  function read<T>({ response, text }: Answer, isAnswer: (body: unknown) => body is T): T {
    const body = parsed(text);
    if (response.ok && isAnswer(body)) return body;
    throw refusal(response, body);
  }

  function refusal({ status }: Response, body: unknown): Error {
    if (isError(body)) return new ServerRefused(status, body.error);
    return new ServerAway(`${base} answers, but not as Dhi's server would (HTTP ${status})`);
  }

  return {
    url: base,
    get: async (path, query, isAnswer, withinMs) =>
      read(await ask(`${path}?${new URLSearchParams(query)}`, {}, withinMs), isAnswer),
    send: async (method, path, body, isAnswer) =>
      read(await ask(path, { method, body: JSON.stringify(body) }), isAnswer),
    async *events(path, body, isEvent, signal) {
      for await (const line of linesOf(path, body, signal)) {
        if (!line.startsWith("data:")) continue;
        const event = parsed(line);
        if (isError(event)) throw new ServerRefused(UPSTREAM_FAILED, event.error);
        if (isEvent(event)) yield event;
      }
    },
    async text(path, query, type) {
      const { response, text } = await ask(`${path}?${new URLSearchParams(query)}`);
      if (response.ok && response.headers.get("content-type")?.startsWith(type)) return text;
      throw refusal(response, parsed(text));
    },
  };
}

/** @returns of a stream of events the last one; `undefined` for what is no JSON */
function parsed(text: string): unknown {
  const last = text.startsWith("data:")
    ? text.trimEnd().slice(text.trimEnd().lastIndexOf("\ndata:") + 1)
    : text;
  try {
    return JSON.parse(last.replace(/^data:/, ""));
  } catch {
    return undefined;
  }
}

const isError = (body: unknown): body is ErrorResponse =>
  hasField(body, "error") && hasField(body.error, "message") && typeof body.error.message === "string";

export const hasField = <K extends string>(body: unknown, field: K): body is Record<K, unknown> =>
  typeof body === "object" && body !== null && field in body;

/** @returns a check of an answer by its fields; what they hold is the server's word */
export const hasFields =
  <T>(...fields: readonly (keyof T & string)[]) =>
  (body: unknown): body is T =>
    fields.every((field) => hasField(body, field));

/** `fetch` hides what happened to the connection in its error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "it took too long";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
