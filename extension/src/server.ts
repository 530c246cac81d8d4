/** HTTP to the Dhi server. It is the user's own, so answers are taken as the protocol types them. */
import { errorWords, ServerError } from "@dhi/client/server-error";
import type { StatusResponse } from "@dhi/core/protocol";
import { type HttpAnswer, send } from "./http.ts";
import { t } from "./l10n.ts";

export interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  /** Empty when the server wants none. */
  readonly token: string;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Starts with a slash. */
  readonly path: string;
  readonly body?: object;
}

/** Nothing answered, or the answer broke off. */
export class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(t("server unreachable at {0}: {1}", url, innermost(cause)), { cause });
    this.url = url;
  }
}

/** The server answered with an error of its own, whose words these are. */
export class ServerRefused extends ServerError {
  override readonly name = "ServerRefused";
}

/**
 * @throws {ServerUnreachable} when nothing answers
 * @throws {ServerRefused} for any status but 2xx
 * @throws the signal's reason once it fires
 */
export async function callServer(server: Server, call: Call, signal: AbortSignal): Promise<HttpAnswer> {
  const { method, path, body } = call;
  const headers = {
    ...(body && { "content-type": "application/json" }),
    ...(server.token && { authorization: `Bearer ${server.token}` }),
  };
  const request = { method, headers, body: body && JSON.stringify(body) };
  const answer = await send(server.url + path, request, signal).catch((error: unknown) =>
    unreachable(server, error, signal),
  );
  if (answer.status < 200 || answer.status > 299) throw await refusal(answer);
  return answer;
}

/** @throws as {@link callServer} does */
export async function callForJson<T>(server: Server, call: Call, signal: AbortSignal): Promise<T> {
  return jsonOf(server, await callServer(server, call, signal), signal);
}

async function jsonOf<T>(server: Server, answer: HttpAnswer, signal: AbortSignal): Promise<T> {
  const text = await answer.text().catch((error: unknown) => unreachable(server, error, signal));
  try {
    return JSON.parse(text);
  } catch {
    throw otherProtocol(server, answer);
  }
}

/**
 * @throws as {@link callServer} does, and {@link ServerRefused} when it is something else that answers in JSON
 */
export async function callForStatus(server: Server, signal: AbortSignal): Promise<StatusResponse> {
  const answer = await callServer(server, { method: "GET", path: "/v1/status" }, signal);
  const status = await jsonOf<Partial<StatusResponse> | null>(server, answer, signal);
  if (!isStatus(status)) throw otherProtocol(server, answer);
  return status;
}

const isStatus = (answer: Partial<StatusResponse> | null): answer is StatusResponse =>
  Array.isArray(answer?.workspaces) && typeof answer.engine === "object";

/** Something else listens at the address. */
export const otherProtocol = (server: Server, answer: HttpAnswer): ServerRefused =>
  new ServerRefused(
    answer.status,
    t("{0} does not speak Dhi's protocol", server.url),
    t("Check dhi.serverUrl."),
  );

/** Throws what a failed call or a broken stream means: no longer wanted, or no longer there. */
export function unreachable(server: Server, error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  throw new ServerUnreachable(server.url, error);
}

async function refusal(answer: HttpAnswer): Promise<ServerRefused> {
  const { message, hint } = await errorWords(answer);
  // The server tells who writes programs; here it is a setting.
  const here = answer.status === 401 ? t("Set dhi.token to the server's DHI_TOKEN.") : hint;
  return new ServerRefused(answer.status, message, here);
}

/** Where a name has several addresses, why each of them failed stands inside. */
function innermost(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length) return innermost(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : innermost(error.cause);
}
