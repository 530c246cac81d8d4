/** The wire of what became of ghost text: counts and times, never code. As `protocol.ts`. */
import { z } from "zod";
import { text } from "./wire-fields.ts";

const ms = z.number().min(0).max(86_400_000);
const chars = z.int().min(0).max(1_000_000);

const about = {
  requestId: text.min(1).max(200).describe("Of the answer that was shown"),
  languageId: text.max(64).default(""),
};

export const completionEvent = z.discriminatedUnion("event", [
  z.strictObject({ ...about, event: z.literal("shown"), chars, latencyMs: ms.describe("Keystroke to text") }),
  z.strictObject({ ...about, event: z.literal("accepted"), chars, visibleMs: ms }),
  z.strictObject({
    ...{ ...about, event: z.literal("partial"), chars: chars.describe("Accepted so far"), visibleMs: ms },
  }),
  z.strictObject({ ...about, event: z.literal("rejected"), visibleMs: ms }),
  z.strictObject({
    ...{ ...about, event: z.literal("survived") },
    afterMs: z.union([z.literal(30_000), z.literal(120_000), z.literal(300_000), z.literal(600_000)]),
    kept: z
      .number()
      .min(0)
      .max(1)
      .describe("1 − edit distance ÷ length: of what was accepted, against what stands there now"),
  }),
]);
export type CompletionEvent = z.infer<typeof completionEvent>;

export const eventsRequest = z.object({ events: z.array(completionEvent).min(1).max(100) });
export type EventsRequest = z.input<typeof eventsRequest>;

/** `stored` is false when the server was told to keep none (`DHI_METRICS`). */
export const eventsResponse = z.object({ stored: z.boolean() });
export type EventsResponse = z.infer<typeof eventsResponse>;
