import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { serve } from "../testing/serve.ts";

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    /@opentelemetry[\\/](sdk|exporter|otlp|resources)/.test(file),
  );

test("without a collector nothing of OpenTelemetry's SDK is loaded", async () => {
  await using server = await serve({ ENGINE: "instant" });
  expect((await server.send("POST", "/v1/fim", { path: "a.ts", prefix: "a = " })).status).toBe(200);
  expect(loaded()).toEqual([]);
  // That it would be seen.
  await import("./otlp-tracing.ts");
  expect(loaded().length).toBeGreaterThan(10);
});
