/** The wire of what became of ghost text: counts and times, never code. As `protocol.ts`. */
import { z } from "zod";
import { timings } from "./protocol.ts";
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

const counts = z.object({
  shown: z.int().describe("Suggestions, each counted once"),
  accepted: z.int().describe("All of it"),
  partial: z.int().describe("A part of it and no more"),
  rejected: z.int(),
  acceptanceRate: z.number().nullable().describe("accepted ÷ shown; null while nothing was shown"),
  charsAccepted: z.int(),
  kept: z
    .array(
      z.object({
        afterMs: z.int(),
        suggestions: z.int(),
        kept: z.number().describe("Mean over the suggestions, 0 to 1"),
      }),
    )
    .describe("What was left of accepted text after 30 s, 2, 5 and 10 min"),
});
export type EventCounts = z.infer<typeof counts>;

const days = z.coerce
  .number()
  .int()
  .min(1)
  .max(3_650)
  .default(30)
  .describe("How far back; no further than DHI_METRICS_DAYS");

/** In the order of the way from a keystroke to its text; `keystroke` is all of it, as the editor saw it. */
export const hop = z.enum(["keystroke", ...timings.keyof().options]);

export const statsRequest = z.object({ days });
export const statsResponse = z.object({
  stored: z.boolean().describe("Whether events are stored (DHI_METRICS)"),
  days: z.int(),
  since: z.string().nullable().describe("ISO time of the first event that counts; null when there is none"),
  total: counts,
  byLanguage: z.array(counts.extend({ name: z.string() })).describe("The most shown first, as the others"),
  byModel: z.array(counts.extend({ name: z.string() })),
  byMode: z.array(counts.extend({ name: z.string() })),
  latency: z
    .array(
      z.object({
        hop,
        suggestions: z.int(),
        ...{ p50: z.number(), p90: z.number(), p95: z.number(), p99: z.number() },
      }),
    )
    .describe("Milliseconds, of suggestions that were shown"),
});
export type StatsResponse = z.infer<typeof statsResponse>;

export const eventsExportRequest = z.object({ days, format: z.enum(["jsonl", "csv"]).default("jsonl") });
/** One stored event. What the server does not know (any more) of the request is null or empty. */
export const storedEvent = z.object({
  at: z.string().describe("ISO time"),
  suggestion: z
    .string()
    .describe("The same for all events of one; made from the requestId, which is not stored"),
  event: z.enum(["shown", "accepted", "partial", "rejected", "survived"]),
  language: z.string(),
  engine: z.string(),
  model: z.string(),
  mode: z.string(),
  chars: z.int().nullable(),
  latencyMs: z.number().nullable(),
  visibleMs: z.number().nullable(),
  afterMs: z.int().nullable(),
  kept: z.number().nullable(),
  queueMs: z.number().nullable(),
  retrievalMs: z.number().nullable(),
  promptMs: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
  engineMs: z.number().nullable(),
  postprocessMs: z.number().nullable(),
  totalMs: z.number().nullable(),
});
export type StoredEvent = z.infer<typeof storedEvent>;
