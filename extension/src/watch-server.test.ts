import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, onTestFinished, test } from "vitest";
import type { ServerState } from "./status.ts";
import { job, sendJson, serverStatus } from "./testing/answers.ts";
import { watchServer } from "./watch-server.ts";

const HOUR = 3_600_000;
const rarely = { syncingMs: HOUR, downMs: HOUR, readyMs: HOUR };

/** @returns what is told, from now on, of the server at that address */
function statesOf(url: string, more: Partial<typeof rarely> = {}) {
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url, token: "" }),
    (state) => states.push(state),
    { ...rarely, ...more },
  );
  onTestFinished(watch.dispose);
  return { states, watch };
}

/** One that gives these answers, in turn. */
const serverWith = (...answers: object[]) =>
  startFakeServer((_, response) => sendJson(response, answers.shift() ?? {}));

test("asks at once and then rests while nothing is about to change", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, serverStatus()));
  const { states, watch } = statesOf(server.url, { syncingMs: 1, downMs: 1 });
  await expect.poll(() => states).toEqual([{ kind: "ready", status: serverStatus() }]);
  watch.refresh();
  await expect.poll(() => states.length).toBe(2);
  watch.dispose();
  expect(server.requests.map((r) => `${r.method} ${r.path}`)).toEqual(["GET /v1/status", "GET /v1/status"]);
});

test("keeps asking while the index is being built", async () => {
  await using server = await serverWith(
    serverStatus({ state: "syncing", job: job({ files: 1, filesTotal: 2 }) }),
    serverStatus({ state: "watching" }),
  );
  const { states } = statesOf(server.url, { syncingMs: 1 });
  await expect
    .poll(() => states)
    .toMatchObject([
      { status: { indexer: { state: "syncing" } } },
      { status: { indexer: { state: "watching" } } },
    ]);
});

test("keeps asking while a model is being loaded", async () => {
  const loaded = serverStatus();
  await using server = await serverWith(
    { ...loaded, engine: { ...loaded.engine, status: "starting" } },
    loaded,
  );
  const { states } = statesOf(server.url, { syncingMs: 1 });
  await expect
    .poll(() => states)
    .toMatchObject([
      { status: { engine: { status: "starting" } } },
      { status: { engine: { name: "ollama" } } },
    ]);
});

test("keeps asking while the model is not there", async () => {
  const ready = serverStatus();
  await using server = await serverWith({ ...ready, engine: { ...ready.engine, status: "down" } }, ready);
  const { states } = statesOf(server.url, { downMs: 1 });
  await expect.poll(() => states.length).toBe(2);
});

test("says of something else at the address that it is no Dhi", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, { hello: "world" }));
  const { states } = statesOf(server.url);
  await expect
    .poll(() => states)
    .toEqual([
      {
        kind: "failing",
        message: `${server.url} does not speak Dhi's protocol`,
        hint: "Check dhi.serverUrl.",
      },
    ]);
});

test("keeps asking while nothing answers", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const { states, watch } = statesOf(url, { downMs: 1 });
  await expect.poll(() => states.length).toBeGreaterThan(1);
  watch.dispose();
  expect(states[0]).toEqual({
    kind: "unreachable",
    message: expect.stringContaining(`server unreachable at ${url}: `),
  });
});

test("quotes a server that refuses", async () => {
  await using server = await startFakeServer((_, response) =>
    sendJson(
      response,
      { error: { code: "unavailable", message: "the index is being moved", hint: "Wait." } },
      503,
    ),
  );
  const { states } = statesOf(server.url);
  await expect
    .poll(() => states)
    .toEqual([{ kind: "failing", message: "the index is being moved", hint: "Wait." }]);
});

test("asks nobody while Dhi is off, and says nothing once disposed", async () => {
  await using server = await startFakeServer(() => {});
  const states: ServerState[] = [];
  let isOn = false;
  const watch = watchServer(
    () => (isOn ? { url: server.url, token: "" } : undefined),
    (state) => states.push(state),
    rarely,
  );
  watch.refresh();
  expect(server.requests).toEqual([]);
  isOn = true;
  watch.refresh();
  await expect.poll(() => server.requests.length).toBe(1);
  watch.dispose();
  await server.closed(0);
  expect(states).toEqual([]);
});
