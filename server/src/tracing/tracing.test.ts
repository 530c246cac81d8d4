import { PassThrough } from "node:stream";
import { indexDir } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, expect, test, vi } from "vitest";
import { startFakeCollector } from "../testing/fake-collector.ts";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { seedIndex } from "../testing/seed-index.ts";
import { serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";
import { openTracing } from "./tracing.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e-7";

/** A busy machine takes a while for so many batches. */
const WITHIN = { interval: 5, timeout: 10_000 };

afterEach(() => vi.unstubAllEnvs());

const fim = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/fim`, { method: "POST", headers, body: JSON.stringify({ path: "src/a.ts", ...body }) });

test("a completion is a span of its client's trace, with one in it for each hop and each leg", async () => {
  await using collector = await startFakeCollector();
  await using ollama = await startFakeOllama({ [MODEL]: { shown: shownModels.qwen } });
  const dir = "/work/shop";
  {
    await using server = await serve(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OLLAMA_HOST: ollama.url,
        ENGINE: "ollama",
        WORKSPACE: dir,
        // The first look of each leg is the slowest.
        RETRIEVAL_TIMEOUT_MS: "10000",
      },
      (home) => seedIndex(indexDir(home, dir), [{ path: "src/b.ts", text: "export const b = 2;\n" }]).close(),
    );
    const headers = { traceparent: `00-${TRACE_ID}-${CALLER}-01` };
    const response = await fim(server.url, { prefix: "return a ", requestId: ID }, headers);
    await response.text();
    expect(response.headers.get("x-request-id")).toBe(ID);
    await (await fim(server.url, { prefix: "return a + " })).text();
  }
  const [root, ...all] = collector
    .spans()
    .filter(({ traceId }) => traceId === TRACE_ID)
    .reverse();
  expect(root).toMatchObject({
    ...{ name: "POST /v1/fim", kind: 2, parentSpanId: CALLER, status: { code: 0 } },
    attributes: {
      "dhi.request_id": ID,
      "http.request.method": "POST",
      "http.route": "/v1/fim",
      "http.response.status_code": 200,
      "dhi.language": "typescript",
      "dhi.reason": "ok",
      "dhi.engine": "ollama",
      "gen_ai.request.model": MODEL,
      "dhi.mode": "rag",
      "dhi.format": "qwen",
      "dhi.step": "full",
      "dhi.reuse": "none",
      "dhi.characters": 3,
      "dhi.sources": 0,
    },
  });
  // A busy machine may take a while to find that there is none.
  const hops = all.filter(({ name }) => name !== "other-call");
  const within = (name: string) => hops.find((one) => one.name === name);
  expect(
    hops
      .filter(({ parentSpanId }) => parentSpanId === root?.spanId)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...["decode", "postprocess", "prefill", "prompt", "queue", "retrieval"]]);
  const legs = hops.filter(({ parentSpanId }) => parentSpanId === within("retrieval")?.spanId);
  expect(legs.map(({ name }) => name).sort()).toEqual(
    ["definitions", "edits", "lexical", "siblings", "similar", "vector"].map((leg) => `retrieval.${leg}`),
  );
  expect(within("prefill")?.attributes).toEqual({ "dhi.tokens.prompt": 5 });
  expect(within("decode")?.attributes).toEqual({ "dhi.tokens.completion": 2, "dhi.finish": "stop" });
  // In their order, and none longer than the whole.
  const order = ["retrieval", "prompt", "queue", "prefill", "decode", "postprocess"];
  const times = order.flatMap((name) => [
    within(name)?.startTimeUnixNano ?? 0,
    within(name)?.endTimeUnixNano ?? 0,
  ]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const SLACK_NS = 2e6;
  expect(times.at(0)).toBeGreaterThanOrEqual((root?.startTimeUnixNano ?? 0) - SLACK_NS);
  expect(times.at(-1)).toBeLessThanOrEqual((root?.endTimeUnixNano ?? 0) + SLACK_NS);

  // The second one goes on with what the first has written, in a trace of its own.
  const second = collector.spans().filter(({ traceId }) => traceId !== TRACE_ID);
  expect(second.map(({ name }) => name).sort()).toEqual(["POST /v1/fim", "cached", "postprocess"]);
  expect(second.find(({ kind }) => kind === 2)?.parentSpanId ?? "").toBe("");
});

test("an error is told by its code, and what was reached before it is there", async () => {
  await using collector = await startFakeCollector();
  const library: Record<string, FakeModel> = { [MODEL]: { shown: shownModels.qwen } };
  await using ollama = await startFakeOllama(library);
  {
    await using server = await serve({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OLLAMA_HOST: ollama.url, ENGINE: "ollama" },
    });
    delete library[MODEL];
    await (await fim(server.url, { prefix: "secretPrefix = " })).text();
    await server.get("/v1/explain?path=../secretPath");
    await server.get("/health");
    await server.get("/secretRoute");
  }
  const roots = collector.spans().filter(({ kind }) => kind === 2);
  expect(roots.map(({ name, status, attributes }) => [name, status.code, attributes["error.type"]])).toEqual([
    ["POST /v1/fim", 2, "upstream"],
    ["GET /v1/explain", 0, undefined],
    ["GET", 0, "not_found"],
  ]);
  expect(collector.spans().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["retrieval", "prompt", "queue"]),
  );
  expect(JSON.stringify(collector.requests)).not.toMatch(/secret/);
});

test("the usual variables of OpenTelemetry count", async () => {
  await using collector = await startFakeCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ENGINE: "instant" };
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=blue");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test");
  {
    await using server = await serve({ ...traced, OTEL_SERVICE_NAME: "ghost" });
    await server.get("/v1/status");
  }
  expect(collector.headers(0)["x-team"]).toBe("blue");
  expect(collector.resource()).toMatchObject({ "service.name": "ghost", "deployment.environment": "test" });
  expect(Object.keys(collector.resource()).filter((name) => /process|host|user/.test(name))).toEqual([]);

  const before = collector.requests.length;
  for (const off of [
    { sampler: "always_off", disabled: "false" },
    { sampler: "", disabled: "true" },
  ]) {
    vi.stubEnv("OTEL_TRACES_SAMPLER", off.sampler);
    await using server = await serve({ ...traced, OTEL_SDK_DISABLED: off.disabled });
    await server.get("/v1/status");
  }
  expect(collector.requests.length).toBe(before);
});

test("a collector that is away is said once, and nothing waits for it", async () => {
  const out = new PassThrough();
  const log = createLogger("test", "warn", out);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "10");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "100");
  const tracing = await openTracing(
    {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await closedPort()}` },
      ...{ OTEL_SDK_DISABLED: false, OTEL_SERVICE_NAME: "dhi" },
    },
    log,
  );
  let said = "";
  const end = { route: "/x", status: 200, isCancelled: false, errorCode: undefined };
  await expect
    .poll(() => {
      const context = { id: ID };
      tracing.begin(context, { method: "GET" });
      tracing.end(context, end);
      said += out.read() ?? "";
      return said;
    })
    .toMatch(/traces: .*(ECONNREFUSED|refused|failed|timeout)/i);
  await tracing.close();
  said += out.read() ?? "";
  expect(said.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(said)).not.toHaveProperty("requestId");
});

test("a collector that refuses in ever new words neither fills the log nor holds up the end", async () => {
  const out = new PassThrough();
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "1");
  let refused = 0;
  await using collector = await startFakeServer((_, response) => {
    response.writeHead(400, `refusal ${++refused}`).end();
  });
  const tracing = await openTracing(
    {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      ...{ OTEL_SDK_DISABLED: false, OTEL_SERVICE_NAME: "dhi" },
    },
    createLogger("test", "warn", out),
  );
  await expect
    .poll(() => {
      const context = { id: ID };
      tracing.begin(context, { method: "GET" });
      tracing.end(context, { route: "/x", status: 200, isCancelled: false, errorCode: undefined });
      return refused;
    }, WITHIN)
    .toBeGreaterThan(8);
  await tracing.close();
  expect(String(out.read()).trim().split("\n")).toHaveLength(5);
});

test("a collector that never answers holds up the end for a moment only", async () => {
  await using collector = await startFakeServer(() => {});
  const tracing = await openTracing(
    {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      ...{ OTEL_SDK_DISABLED: false, OTEL_SERVICE_NAME: "dhi" },
    },
    createLogger("test", "silent"),
  );
  const context = { id: ID };
  tracing.begin(context, { method: "GET" });
  tracing.end(context, { route: "/x", status: 200, isCancelled: false, errorCode: undefined });
  const startedAt = performance.now();
  await tracing.close();
  expect(collector.requests).toHaveLength(1);
  // The exporter itself would wait for 10 s.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
}, 20_000);
