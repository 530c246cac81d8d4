/** The bytes of an answer, as they come. */
import { ServerProblem } from "./ask.ts";

/** Not every browser can iterate a stream. @throws {ServerProblem} for an answer without a body */
export async function* bodyPieces({ body, status }: Response): AsyncGenerator<Uint8Array> {
  if (!body) throw new ServerProblem(status, "the answer is empty");
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel();
  }
}
