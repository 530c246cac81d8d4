/** Dhi's server, asked by HTTP. */
import type { ErrorResponse } from "@dhi/core/protocol";

export interface Server {
  /**
   * @throws {ServerAway} when nobody answers
   * @throws {ServerRefused} with the server's own words
   */
  get<T>(
    path: string,
    query: Readonly<Record<string, string>>,
    isAnswer: (body: unknown) => body is T,
  ): Promise<T>;
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
    this.isCallersFault = status === 400 || status === 404;
  }
}

const TIMEOUT_MS = 30_000;

/** @returns `undefined` for what is no http(s) URL */
export function serverAt(url: string, token: string | undefined): Server | undefined {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  const base = url.replace(/\/+$/, "");
  return {
    async get(path, query, isAnswer) {
      const response = await fetch(`${base}${path}?${new URLSearchParams(query)}`, {
        headers: token ? { authorization: `Bearer ${token}` } : {},
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => {
        throw new ServerAway(`no answer from ${base} (${reasonOf(error)})`, { cause: error });
      });
      const body: unknown = await response.json().catch(() => undefined);
      if (response.ok && isAnswer(body)) return body;
      if (isError(body)) throw new ServerRefused(response.status, body.error);
      throw new ServerAway(`${base} answers, but not as Dhi's server would (HTTP ${response.status})`);
    },
  };
}

const isError = (body: unknown): body is ErrorResponse =>
  hasField(body, "error") && hasField(body.error, "message") && typeof body.error.message === "string";

export const hasField = <K extends string>(body: unknown, field: K): body is Record<K, unknown> =>
  typeof body === "object" && body !== null && field in body;

/** `fetch` hides what happened to the connection in its error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
