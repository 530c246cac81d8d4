/** Asks the server for a completion: `POST /v1/fim`, read until its last event. */
import { OtherStream, readCompletion } from "@dhi/client/read-completion";
import type { FimDone, FimPiece, FimRequestInput } from "@dhi/core/protocol";
import { callServer, otherProtocol, type Server, ServerRefused, unreachable } from "./server.ts";

/**
 * @param onPiece called with each piece, as soon as it is there
 * @param signal closes the connection when it fires, which stops the engine too: after the last event, what that writes ahead
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
  const answer = await callServer(server, { method: "POST", path: "/v1/fim", body: request }, signal);
  const { contentType, status, body } = answer;
  if (contentType && !contentType.startsWith("text/event-stream")) {
    answer.discard();
    throw otherProtocol(server, answer);
  }
  const last = await readCompletion(body, onPiece).catch((error: unknown) => {
    if (error instanceof OtherStream) throw otherProtocol(server, answer);
    return unreachable(server, error, signal);
  });
  signal.throwIfAborted();
  if (last && "error" in last) throw new ServerRefused(status, last.error.message, last.error.hint);
  return last;
}
