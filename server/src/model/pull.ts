/** Has Ollama fetch a model, and tells how far it is. */
import type { PullProgress } from "@dhi/core/config-protocol";
import { z } from "zod";
import { readJsonLines } from "../engines/json-lines.ts";
import { createUpstream } from "../engines/upstream-http.ts";

const line = z.object({
  status: z.string().default(""),
  digest: z.string().optional(),
  /** Bytes of the layer; missing while it is not begun. */
  total: z.number().optional(),
  completed: z.number().optional(),
  error: z.string().optional(),
});

/** Ollama tells several times a second, for each layer. */
const TELL_EVERY_MS = 250;

/**
 * @returns progress now and then, and in the end one that is done. What was fetched stays with Ollama when the signal fires,
 * and the next pull goes on from there
 * @throws {UpstreamError} that quotes Ollama
 */
export async function* pullModel(
  host: string,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<PullProgress> {
  const upstream = createUpstream({ name: "ollama", url: host });
  const layers = new Map<string, { readonly total: number; readonly completed: number }>();
  let toldAt = Number.NEGATIVE_INFINITY;
  let isWhole = false;
  const sum = (field: "total" | "completed") =>
    [...layers.values()].reduce((all, layer) => all + layer[field], 0);
  try {
    const response = await upstream.post("/api/pull", { model, stream: true }, signal);
    for await (const value of readJsonLines(response, upstream)) {
      const { status, digest, total = 0, completed = 0, error } = line.parse(value);
      if (error !== undefined) throw upstream.error(error);
      if (digest) layers.set(digest, { total, completed });
      isWhole = status === "success";
      const now = performance.now();
      if (!isWhole && now - toldAt < TELL_EVERY_MS) continue;
      toldAt = now;
      yield { status, completed: sum("completed"), total: sum("total"), done: isWhole };
    }
  } catch (error) {
    throw upstream.failure(error, signal);
  }
  if (!isWhole) throw upstream.error("the pull ended before the model was whole");
}
