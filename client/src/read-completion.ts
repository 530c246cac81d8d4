/** The stream of `POST /v1/fim`: a preview or none, text as it is generated, then an answer or an error. */
import type { ErrorResponse, FimDone, FimPiece } from "@dhi/core/protocol";
import { serverSentEvents } from "./server-sent-events.ts";

type FimEvent = FimPiece | FimDone | ErrorResponse;

/** What streams is no Dhi, or one that speaks otherwise. */
export class OtherStream extends Error {
  override readonly name = "OtherStream";
}

/**
 * @param onPiece called with each piece
 * @returns the last event; `undefined` when the server ended the request for a newer one of the same session
 * @throws {OtherStream} for an event that is none of them: half of one would stay with the answers that are known
 */
export async function readCompletion(
  body: AsyncIterable<Uint8Array>,
  onPiece: (piece: FimPiece) => void,
): Promise<FimDone | ErrorResponse | undefined> {
  for await (const data of serverSentEvents(body)) {
    const event = eventOf(data);
    if (!("text" in event || "preview" in event)) return event;
    onPiece(event);
  }
  return undefined;
}

function eventOf(data: string): FimEvent {
  const event = parsed(data);
  if (!isFimEvent(event)) throw new OtherStream("an event of another protocol");
  return event;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** What is read of it first: the rest is taken as the protocol types it. */
function isFimEvent(event: unknown): event is FimEvent {
  if (typeof event !== "object" || event === null) return false;
  if ("text" in event) return typeof event.text === "string";
  if ("preview" in event) return typeof event.preview === "string";
  if ("error" in event) return typeof event.error === "object" && event.error !== null;
  if (!("completion" in event && "timings" in event && "sources" in event)) return false;
  const { completion, timings, sources } = event;
  return typeof completion === "string" && typeof timings === "object" && Array.isArray(sources);
}
