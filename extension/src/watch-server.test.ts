import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import type { ServerState } from "./status.ts";
import { job, sendJson, serverStatus } from "./testing/answers.ts";
import { watchServer } from "./watch-server.ts";

const HOUR = 3_600_000;
const rarely = { syncingMs: HOUR, downMs: HOUR, readyMs: HOUR };

test("asks at once and then rests while nothing is about to change", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, serverStatus()));
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    {
      ...rarely,
      syncingMs: 1,
      downMs: 1,
    },
  );
  await expect.poll(() => states).toEqual([{ kind: "ready", status: serverStatus() }]);
  watch.refresh();
  await expect.poll(() => states.length).toBe(2);
  watch.dispose();
  expect(server.requests.map((r) => `${r.method} ${r.path}`)).toEqual(["GET /v1/status", "GET /v1/status"]);
});

test("keeps asking while the index is being built", async () => {
  const answers = [
    serverStatus({ state: "syncing", job: job({ files: 1, filesTotal: 2 }) }),
    serverStatus({ state: "watching" }),
  ];
  await using server = await startFakeServer((_, response) => sendJson(response, answers.shift() ?? {}));
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    { ...rarely, syncingMs: 1 },
  );
  await expect
    .poll(() => states)
    .toMatchObject([
      { status: { indexer: { state: "syncing" } } },
      { status: { indexer: { state: "watching" } } },
    ]);
  watch.dispose();
});

test("keeps asking while a model is being loaded", async () => {
  const loaded = serverStatus();
  const answers = [{ ...loaded, engine: { ...loaded.engine, status: "starting" } }, loaded];
  await using server = await startFakeServer((_, response) => sendJson(response, answers.shift() ?? {}));
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    { ...rarely, syncingMs: 1 },
  );
  await expect
    .poll(() => states)
    .toMatchObject([
      { status: { engine: { status: "starting" } } },
      { status: { engine: { name: "ollama" } } },
    ]);
  watch.dispose();
});

test("keeps asking while the model is not there", async () => {
  const ready = serverStatus();
  const answers = [{ ...ready, engine: { ...ready.engine, status: "down" } }, ready];
  await using server = await startFakeServer((_, response) => sendJson(response, answers.shift() ?? {}));
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    { ...rarely, downMs: 1 },
  );
  await expect.poll(() => states.length).toBe(2);
  watch.dispose();
});

test("says of something else at the address that it is no Dhi", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, { hello: "world" }));
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    rarely,
  );
  await expect
    .poll(() => states)
    .toEqual([
      {
        kind: "failing",
        message: `${server.url} does not speak Dhi's protocol`,
        hint: "Check dhi.serverUrl.",
      },
    ]);
  watch.dispose();
});

test("keeps asking while nothing answers", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url, token: "" }),
    (state) => states.push(state),
    { ...rarely, downMs: 1 },
  );
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
      { error: { code: "unauthorized", message: "this server wants a token", hint: "Send it." } },
      401,
    ),
  );
  const states: ServerState[] = [];
  const watch = watchServer(
    () => ({ url: server.url, token: "" }),
    (state) => states.push(state),
    rarely,
  );
  await expect
    .poll(() => states)
    .toEqual([{ kind: "failing", message: "this server wants a token", hint: "Send it." }]);
  watch.dispose();
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
