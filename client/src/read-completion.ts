/** The stream of `POST /v1/fim`: text as it is generated, then an answer or an error. */
import type { ErrorResponse, FimDone, FimText } from "@dhi/core/protocol";
import { serverSentEvents } from "./server-sent-events.ts";

type FimEvent = FimText | FimDone | ErrorResponse;

/**
 * @param onText called with each piece
 * @returns the last event; `undefined` when the server ended the request for a newer one of the same session
 */
export async function readCompletion(
  body: AsyncIterable<Uint8Array>,
  onText: (piece: string) => void,
): Promise<FimDone | ErrorResponse | undefined> {
  for await (const data of serverSentEvents(body)) {
    const event: FimEvent = JSON.parse(data);
    if (!("text" in event)) return event;
    onText(event.text);
  }
  return undefined;
}
