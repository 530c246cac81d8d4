import { readFileSync } from "node:fs";
import { request } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { serve } from "../testing/serve.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");

const target = z.object({ expr: z.string() });
const dashboard = z.object({
  uid: z.string(),
  panels: z.array(z.object({ title: z.string(), targets: z.array(target).default([]) })),
  templating: z.object({ list: z.array(z.object({ query: z.object({ query: z.string() }) })) }),
});

/** What a histogram is asked by. */
const base = (name: string) => name.replace(/_(bucket|sum|count)$/, "");
const namesIn = (expression: string) =>
  Array.from(expression.matchAll(/\b(?:dhi|process|nodejs)_\w+/g), ([name]) => base(name));

/** By the Host that Prometheus sends, which `fetch` would not. */
function ask(
  url: string,
  path: string,
  host: string,
  token?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...(token && { authorization: `Bearer ${token}` }) };
    const asking = request(url + path, { headers }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode ?? 0, text });
    });
    asking.on("error", reject).end();
  });
}

// Elsewhere a process tells less of itself.
test.runIf(process.platform === "linux")(
  "the dashboard has a panel for every series of /metrics, and asks for no other",
  async () => {
    await using server = await serve({ ENGINE: "instant" });
    await server.send("POST", "/v1/fim", { path: "a.ts", prefix: "a = " });
    const exported = Array.from(
      String((await server.get("/metrics")).body).matchAll(/^# TYPE (\S+)/gm),
      ([, name = ""]) => name,
    );
    const { panels, templating } = dashboard.parse(JSON.parse(read("deploy/metrics/dashboards/dhi.json")));
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));
    expect([...new Set(asked)].sort()).toEqual(exported.sort());
    for (const { query } of templating.list)
      expect(exported).toEqual(expect.arrayContaining(namesIn(query.query)));
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  },
);

test("every label that the dashboard asks by is one that the series has", async () => {
  const text = read("deploy/metrics/dashboards/dhi.json");
  const legends = new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, label]) => label));
  expect([...legends].sort()).toEqual([
    ...[
      "code",
      "engine",
      "hop",
      "kind",
      "mode",
      "of",
      "reason",
      "reuse",
      "space",
      "state",
      "type",
      "version",
    ],
  ]);
});

test("Prometheus asks where Compose lets the server answer, under a name that is good for /metrics alone", async () => {
  const compose = read("docker-compose.yml");
  const [, host = ""] = /- targets: \["([^:"]+):8000"\]/.exec(read("deploy/metrics/prometheus.yml")) ?? [];
  const [, DHI_METRICS_HOSTS = ""] = /DHI_METRICS_HOSTS: (\S+)/.exec(compose) ?? [];
  expect(host).toBe(DHI_METRICS_HOSTS);
  expect(compose).toMatch(new RegExp(`^  ${host}:$`, "m"));

  const DHI_TOKEN = "a-long-token";
  await using server = await serve({ ENGINE: "instant", DHI_METRICS_HOSTS, DHI_TOKEN });
  const port = new URL(server.url).port;
  expect(await ask(server.url, "/metrics", `${host}:${port}`, DHI_TOKEN)).toMatchObject({
    ...{ status: 200, text: expect.stringContaining("dhi_degrade_step") },
  });
  expect((await ask(server.url, "/metrics", `${host}:${port}`)).status).toBe(401);
  for (const path of ["/v1/status", "/", "/v1/file?path=a.ts", "/metrics/"])
    expect((await ask(server.url, path, `${host}:${port}`, DHI_TOKEN)).status).toBe(403);
  expect((await ask(server.url, "/metrics", `evil.lan:${port}`, DHI_TOKEN)).status).toBe(403);
});
