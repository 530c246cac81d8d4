/** Asks the server this page comes from. */
import type { ErrorResponse } from "@dhi/core/protocol";
import { token, tokenWanted } from "./token.ts";

/** The server did not do it; `message` and `hint` are for a person. */
export class ServerProblem extends Error {
  override readonly name = "ServerProblem";
  /** HTTP status; 0 when nothing answered. */
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
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
}

/** @throws {ServerProblem}, or the signal's reason once it fires */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  return (await response(path, asked)).json();
}

/** @returns an answer whose body is still to be read @throws as {@link ask} */
export async function response(path: string, asked: Asked = {}): Promise<Response> {
  const { method = "GET", query = {}, body, signal, keepalive, orStatus } = asked;
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
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new ServerProblem(
      0,
      "the server does not answer",
      error instanceof Error ? error.message : undefined,
    );
  });
  if (answer.ok || answer.status === orStatus) return answer;
  if (answer.status === 401) tokenWanted.value = true;
  throw await problemOf(answer);
}

async function problemOf(answer: Response): Promise<ServerProblem> {
  try {
    const { error }: ErrorResponse = await answer.json();
    return new ServerProblem(answer.status, error.message, error.hint);
  } catch {
    return new ServerProblem(answer.status, `the server answered ${answer.status}`);
  }
}
