/** An OpenTelemetry collector that keeps what it is sent. */
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { z } from "zod";

const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z
        .union([
          z.object({ stringValue: z.string() }).transform((v) => v.stringValue),
          z.object({ intValue: z.union([z.number(), z.string()]) }).transform((v) => Number(v.intValue)),
          z.object({ doubleValue: z.number() }).transform((v) => v.doubleValue),
          z.object({ boolValue: z.boolean() }).transform((v) => v.boolValue),
        ])
        .optional(),
    }),
  )
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.number(),
  endTimeUnixNano: z.coerce.number(),
  attributes,
  status: z.object({ code: z.number().default(0), message: z.string().optional() }).default({ code: 0 }),
});
export type SentSpan = z.infer<typeof span>;

const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export interface FakeCollector extends FakeServer {
  /** In the order they were sent. */
  spans(): SentSpan[];
  /** Attributes of the resource, as the last batch has them. */
  resource(): Readonly<Record<string, unknown>>;
}

export async function startFakeCollector(): Promise<FakeCollector> {
  const server = await startFakeServer((_, response) => {
    response.setHeader("content-type", "application/json").end("{}");
  });
  const batches = () =>
    server.requests
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => sent.parse(body).resourceSpans);
  return Object.assign(server, {
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => batches().at(-1)?.resource.attributes ?? {},
  });
}
