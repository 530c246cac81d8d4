/** `POST /v1/fim`, read to its end. */
import { readCompletion } from "@dhi/client/read-completion";
import type { FimDone, FimPiece, FimRequestInput } from "@dhi/core/protocol";
import { brokenOff, response, ServerProblem } from "./ask.ts";
import { bodyPieces } from "./body-pieces.ts";

/**
 * @returns `undefined` when the server ended the request for a newer one of the same session
 * @throws {ServerProblem}, or the signal's reason once it fires
 */
export async function streamCompletion(
  body: FimRequestInput,
  onPiece: (piece: FimPiece) => void,
  signal: AbortSignal,
): Promise<FimDone | undefined> {
  const answer = await response("/v1/fim", { method: "POST", body, signal });
  const last = await readCompletion(bodyPieces(answer), onPiece).catch((error: unknown) => {
    throw brokenOff(error, signal);
  });
  if (last && "error" in last) throw new ServerProblem(answer.status, last.error.message, last.error.hint);
  return last;
}
