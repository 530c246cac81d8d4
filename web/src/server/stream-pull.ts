/** `POST /v1/models/pull`, read to its end. */
import { serverSentEvents } from "@dhi/client/server-sent-events";
import type { PullProgress } from "@dhi/core/config-protocol";
import type { ErrorResponse } from "@dhi/core/protocol";
import { brokenOff, response, ServerProblem } from "./ask.ts";
import { bodyPieces } from "./body-pieces.ts";

/**
 * @returns once Ollama has all of the model
 * @throws {ServerProblem}, or the signal's reason once it fires
 */
export async function streamPull(
  model: string,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await response("/v1/models/pull", { method: "POST", body: { model }, signal });
  const end = await readPull(answer, onProgress).catch((error: unknown) => {
    throw brokenOff(error, signal);
  });
  if (!end) throw brokenOff(undefined, signal);
  if ("error" in end) throw new ServerProblem(answer.status, end.error.message, end.error.hint);
}

/** @returns the last event; `undefined` when the stream has none */
async function readPull(
  answer: Response,
  onProgress: (progress: PullProgress) => void,
): Promise<PullProgress | ErrorResponse | undefined> {
  for await (const data of serverSentEvents(bodyPieces(answer))) {
    const event: PullProgress | ErrorResponse = JSON.parse(data);
    if ("error" in event) return event;
    onProgress(event);
    if (event.done) return event;
  }
  return undefined;
}
