/** Asks the server this page comes from. */
import { errorWords, ServerError } from "@dhi/client/server-error";
import { token, tokenWanted } from "./token.ts";

/** The server did not do it, or does not answer: then `status` is 0. */
export class ServerProblem extends ServerError {
  override readonly name = "ServerProblem";
}

export interface Asked {
  readonly method?: "GET" | "POST" | "PUT";
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Sent even when the page is being left. */
  readonly keepalive?: boolean;
  /** A status besides 2xx whose body is an answer too. */
  readonly orStatus?: number;
  /** A server that takes longer counts as one that does not answer; missing for what may take as long as it likes. */
  readonly withinMs?: number;
}

/** @throws {ServerProblem}, or the signal's reason once it fires */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  const answer = await response(path, asked);
  return answer.json().catch((error: unknown) => {
    throw brokenOff(error, asked.signal);
  });
}

/** @returns an answer whose body is still to be read @throws as {@link ask} */
export async function response(path: string, asked: Asked = {}): Promise<Response> {
  const { method = "GET", query = {}, body, signal, keepalive, orStatus, withinMs } = asked;
  const params = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const address = params.length ? `${path}?${new URLSearchParams(params)}` : path;
  const answer = await fetch(address, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token.value && { authorization: `Bearer ${token.value}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: eitherOf(signal, withinMs),
    ...(keepalive && { keepalive }),
  }).catch((error: unknown) => {
    throw gone("the server does not answer", error, signal);
  });
  if (answer.ok || answer.status === orStatus) return answer;
  if (answer.status === 401) tokenWanted.value = true;
  throw await problemOf(answer);
}

/** @returns what to throw when an answer ends before its time @throws the signal's reason once it has fired */
export const brokenOff = (error: unknown, signal: AbortSignal | undefined): ServerProblem =>
  gone("the answer broke off", error, signal);

/** @returns what the server, or its absence, says to a person @throws any other error, which is a mistake of this page */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ServerProblem)) throw error;
  return error.message;
}

function gone(message: string, cause: unknown, signal: AbortSignal | undefined): ServerProblem {
  signal?.throwIfAborted();
  return new ServerProblem(0, message, cause instanceof Error ? cause.message : undefined);
}

function eitherOf(signal: AbortSignal | undefined, withinMs: number | undefined): AbortSignal | null {
  if (withinMs === undefined) return signal ?? null;
  const within = AbortSignal.timeout(withinMs);
  return signal ? AbortSignal.any([signal, within]) : within;
}

async function problemOf(answer: Response): Promise<ServerProblem> {
  const { message, hint } = await errorWords(answer);
  return new ServerProblem(answer.status, message, hint);
}
