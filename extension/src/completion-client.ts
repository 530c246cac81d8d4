/** Asks the server for a completion: `POST /v1/fim`, read until its last event. */
import type { ErrorResponse, FimDone, FimRequestInput, FimText } from "@dhi/core/protocol";
import { callServer, otherProtocol, type Server, ServerRefused, unreachable } from "./server.ts";
import { serverSentEvents } from "./server-sent-events.ts";

/** Text as it is generated, then one of the other two. */
type FimEvent = FimText | FimDone | ErrorResponse;

/**
 * @param signal closes the socket when it fires, which stops the engine too
 * @returns `undefined` when the server ended the request for a newer one of the same session
 * @throws {ServerUnreachable} when nothing answers, or the connection breaks off
 * @throws {ServerRefused} with the server's words when it fails, also in mid-stream
 * @throws the signal's reason once it fires
 */
export async function fetchCompletion(
  server: Server,
  request: FimRequestInput,
  signal: AbortSignal,
): Promise<FimDone | undefined> {
  const response = await callServer(server, { method: "POST", path: "/v1/fim", body: request }, signal);
  const type = response.headers.get("content-type");
  if (type && !type.startsWith("text/event-stream")) throw otherProtocol(server, response);
  const last = await lastEvent(response).catch((error: unknown) => unreachable(server, error, signal));
  signal.throwIfAborted();
  if (last && "error" in last) throw new ServerRefused(response.status, last.error.message, last.error.hint);
  return last;
}

async function lastEvent({ body }: Response): Promise<FimDone | ErrorResponse | undefined> {
  for await (const data of body ? serverSentEvents(body) : []) {
    const event: FimEvent = JSON.parse(data);
    if (!("text" in event)) return event;
  }
  return undefined;
}
