import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CompletionEvent, statsResponse, storedEvent } from "@dhi/core/events-protocol";
import { createLogger } from "@dhi/core/log";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { describe, expect, test } from "vitest";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";
import { openEventStore } from "./event-store.ts";
import { openEvents } from "./events.ts";
import { createKnownAnswers } from "./known-answers.ts";

const QWEN = "qwen2.5-coder:1.5b-base";
const library: Record<string, FakeModel> = {
  [QWEN]: { shown: shownModels.qwen },
  "starcoder2:3b": { shown: shownModels.starcoder2 },
};
const on = { DHI_METRICS: "on", ENGINE: "ollama" };
const send = (server: Served, ...events: CompletionEvent[]) => server.send("POST", "/v1/events", { events });
const stats = async (server: Served) => statsResponse.parse((await server.get("/v1/stats")).body);
const complete = (server: Served, requestId: string, more: object = {}) =>
  server.send("POST", "/v1/fim", { path: "a.ts", prefix: `return ${requestId} `, requestId, ...more });

const shown = (requestId: string, latencyMs = 80) => ({
  ...{ event: "shown" as const, requestId, languageId: "", chars: 3, latencyMs },
});
const accepted = (requestId: string) => ({
  ...{ event: "accepted" as const, requestId, languageId: "", chars: 3, visibleMs: 900 },
});
const survived = (requestId: string, afterMs: 30_000 | 600_000, kept: number) => ({
  ...{ event: "survived" as const, requestId, languageId: "", afterMs, kept },
});

test("nothing is stored unless the settings say so", async () => {
  await using server = await serve();
  expect(await send(server, shown("1"))).toEqual({ status: 200, body: { stored: false } });
  expect(await stats(server)).toMatchObject({ stored: false, total: { shown: 0 }, since: null });
  expect(readdirSync(server.home).filter((name) => /^(metrics|events)/.test(name))).toEqual([]);
});

test("events are counted once per suggestion, by the language, model and mode of its request", async () => {
  await using ollama = await startFakeOllama(library);
  await using server = await serve({ ...on, OLLAMA_HOST: ollama.url });
  for (const id of ["1", "2", "3"]) await complete(server, id);
  await server.send("PUT", "/v1/config", { model: "starcoder2:3b", mode: "simple" });
  await complete(server, "4", { path: "b.py" });

  await send(server, shown("1", 10), shown("1", 10), accepted("1"), survived("1", 30_000, 1));
  await send(server, shown("2", 20), { ...accepted("2"), event: "partial", chars: 1 });
  await send(server, { ...accepted("2"), event: "partial", chars: 2 }, survived("2", 30_000, 0.5));
  await send(server, shown("3", 30), { event: "rejected", requestId: "3", languageId: "", visibleMs: 1 });
  await send(server, shown("4", 1000), accepted("4"), survived("4", 600_000, 0.25));

  const { total, byLanguage, byModel, byMode, latency, since } = await stats(server);
  const kept30s = { afterMs: 30_000, suggestions: 2, kept: 0.75 };
  const kept10m = { afterMs: 600_000, suggestions: 1, kept: 0.25 };
  const three = {
    ...{ shown: 3, accepted: 1, partial: 1, rejected: 1, acceptanceRate: 1 / 3, charsAccepted: 5 },
    kept: [kept30s],
  };
  const one = {
    ...{ shown: 1, accepted: 1, partial: 0, rejected: 0, acceptanceRate: 1, charsAccepted: 3 },
    kept: [kept10m],
  };
  expect(total).toEqual({
    ...{ shown: 4, accepted: 2, partial: 1, rejected: 1, acceptanceRate: 0.5, charsAccepted: 8 },
    kept: [kept30s, kept10m],
  });
  expect(byLanguage).toEqual([
    { name: "typescript", ...three },
    { name: "python", ...one },
  ]);
  expect(byModel).toEqual([
    { name: QWEN, ...three },
    { name: "starcoder2:3b", ...one },
  ]);
  expect(byMode).toEqual([
    { name: "rag", ...three },
    { name: "simple", ...one },
  ]);
  expect(latency[0]).toEqual({ hop: "keystroke", suggestions: 4, p50: 20, p90: 1000, p95: 1000, p99: 1000 });
  expect(latency.map(({ hop }) => hop)).toEqual([
    ...["keystroke", "queue", "retrieval", "prompt", "firstToken", "engine", "postprocess", "total"],
  ]);
  expect(Date.parse(since ?? "")).toBeGreaterThan(Date.now() - 60_000);
});

test("bad events are named, and none of their company is stored", async () => {
  await using server = await serve(on);
  const { status, body } = await send(server, shown("1"), { ...accepted("1"), chars: -1 }, {
    ...survived("1", 30_000, 2),
    text: "const a = 1",
  } as CompletionEvent);
  expect(status).toBe(400);
  expect((body as { error: { message: string } }).error.message).toMatch(
    /events\.1\.chars: .*events\.2\.kept: .*events\.2: Unrecognized key: "text"/,
  );
  expect((await stats(server)).total.shown).toBe(0);
});

test("exports each event as a line of JSON or CSV", async () => {
  await using ollama = await startFakeOllama(library);
  await using server = await serve({ ...on, OLLAMA_HOST: ollama.url });
  await complete(server, "1");
  await send(server, shown("1"), survived("1", 30_000, 0.5));
  const { body: jsonl } = await fetch(`${server.url}/v1/events`).then(async (r) => ({
    body: await r.text(),
  }));
  const [first, second, ...more] = jsonl
    .trim()
    .split("\n")
    .map((line) => storedEvent.parse(JSON.parse(line)));
  expect(more).toEqual([]);
  expect(first).toMatchObject({ event: "shown", language: "typescript", model: QWEN, mode: "rag", chars: 3 });
  expect(first?.totalMs).toBeGreaterThan(0);
  expect(second).toMatchObject({ event: "survived", afterMs: 30_000, kept: 0.5, model: QWEN, totalMs: null });
  expect(second?.suggestion).toBe(first?.suggestion);

  const csv = await fetch(`${server.url}/v1/events?format=csv`);
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines.map((line) => line.split(",").slice(1, 6).join(","))).toEqual([
    "suggestion,event,language,engine,model",
    `${first?.suggestion},shown,typescript,ollama,${QWEN}`,
    `${first?.suggestion},survived,typescript,ollama,${QWEN}`,
  ]);
});

describe("the store", () => {
  const answer = {
    ...({ engine: "ollama", model: "m", mode: "rag", languageId: "go" } as const),
    timings: { queue: 0, retrieval: 1, prompt: 1, firstToken: 1, engine: 1, postprocess: 1, total: 5 },
  };
  const DAY = 86_400_000;

  test("knows a suggestion again after a restart, when only its events are left", () => {
    using home = tempDir();
    const options = { dir: home.dir, days: 90, maxBytes: 1e6 };
    const store = openEventStore(options);
    store.add([shown("1")], () => answer);
    store.close();
    const again = openEventStore(options);
    again.add([survived("1", 30_000, 1), survived("2", 30_000, 1)], () => undefined);
    expect([...again.rows(0)].map(({ event, language, model }) => [event, language, model])).toEqual([
      ["shown", "go", "m"],
      ["survived", "go", "m"],
      ["survived", "plaintext", ""],
    ]);
    again.close();
  });

  test("deletes what is too old", () => {
    using home = tempDir();
    let now = 100 * DAY;
    const options = { dir: home.dir, days: 10, maxBytes: 1e6, now: () => now };
    const store = openEventStore(options);
    store.add([shown("old")], () => answer);
    now += 11 * DAY;
    store.add([shown("new")], () => answer);
    store.close();
    const again = openEventStore(options);
    expect([...again.rows(0)].map(({ at }) => Date.parse(at))).toEqual([111 * DAY]);
    again.close();
  });

  test("deletes the oldest when it is too large, while it is in use", () => {
    using home = tempDir();
    let now = 0;
    const maxBytes = 200_000;
    const store = openEventStore({ dir: home.dir, days: 9999, maxBytes, now: () => now });
    for (let batch = 0; batch < 100; batch++) {
      now++;
      store.add(
        Array.from({ length: 50 }, (_, i) => shown(`${batch}-${i}`)),
        () => answer,
      );
    }
    const rows = [...store.rows(0)];
    expect(Number(store.db.pragma("page_count", { simple: true })) * 4096).toBeLessThan(maxBytes * 1.5);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.at(-1)?.at).toBe(new Date(100).toISOString());
    store.close();
  });

  test("is read while it is written", () => {
    using home = tempDir();
    const store = openEventStore({ dir: home.dir, days: 9, maxBytes: 1e6 });
    store.add([shown("1"), shown("2")], () => answer);
    for (const { suggestion } of store.rows(0)) store.add([shown(`after ${suggestion}`)], () => answer);
    expect([...store.rows(0)]).toHaveLength(4);
    store.close();
  });
});

test("that the file cannot be opened costs nothing but the events", () => {
  using home = tempDir();
  writeFileSync(join(home.dir, "metrics.db"), "no database ".repeat(1000));
  const config = { DHI_HOME: home.dir, DHI_METRICS: true, DHI_METRICS_DAYS: 1, DHI_METRICS_MB: 1 };
  const events = openEvents(config, createLogger("test", "silent"));
  expect(events.store([shown("1")])).toBe(false);
});

test("only the last answers are known", () => {
  const known = createKnownAnswers(2);
  const done = { engine: "ollama", model: "m", mode: "rag", timings: {} } as never as object;
  for (const requestId of ["1", "2", "1", "3"])
    known.add({ languageId: "go" }, { ...done, requestId } as never);
  expect(["1", "2", "3"].map((id) => known.get(id)?.languageId)).toEqual(["go", undefined, "go"]);
});
