/** The stream of `POST /v1/fim`: a preview or none, text as it is generated, then an answer or an error. */
import type { ErrorResponse, FimDone, FimPiece } from "@dhi/core/protocol";
import { serverSentEvents } from "./server-sent-events.ts";

type FimEvent = FimPiece | FimDone | ErrorResponse;

/**
 * @param onPiece called with each piece
 * @returns the last event; `undefined` when the server ended the request for a newer one of the same session
 */
export async function readCompletion(
  body: AsyncIterable<Uint8Array>,
  onPiece: (piece: FimPiece) => void,
): Promise<FimDone | ErrorResponse | undefined> {
  for await (const data of serverSentEvents(body)) {
    const event: FimEvent = JSON.parse(data);
    if (!("text" in event || "preview" in event)) return event;
    onPiece(event);
  }
  return undefined;
}
