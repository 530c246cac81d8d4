/** Asks the server for a completion: `POST /v1/fim`, read until its last event. */
import { readCompletion } from "@dhi/client/read-completion";
import type { FimDone, FimPiece, FimRequestInput } from "@dhi/core/protocol";
import { callServer, otherProtocol, type Server, ServerRefused, unreachable } from "./server.ts";

/**
 * @param onPiece called with each piece, as soon as it is there
 * @param signal closes the socket when it fires, which stops the engine too
 * @returns `undefined` when the server ended the request for a newer one of the same session
 * @throws {ServerUnreachable} when nothing answers, or the connection breaks off
 * @throws {ServerRefused} with the server's words when it fails, also in mid-stream
 * @throws the signal's reason once it fires
 */
export async function fetchCompletion(
  server: Server,
  request: FimRequestInput,
  onPiece: (piece: FimPiece) => void,
  signal: AbortSignal,
): Promise<FimDone | undefined> {
  const response = await callServer(server, { method: "POST", path: "/v1/fim", body: request }, signal);
  const type = response.headers.get("content-type");
  if (type && !type.startsWith("text/event-stream")) throw otherProtocol(server, response);
  const last = response.body
    ? await readCompletion(response.body, onPiece).catch((error: unknown) =>
        unreachable(server, error, signal),
      )
    : undefined;
  signal.throwIfAborted();
  if (last && "error" in last) throw new ServerRefused(response.status, last.error.message, last.error.hint);
  return last;
}
