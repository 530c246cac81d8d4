import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import type { Answering } from "../answering.ts";
import type { Engine } from "../engines/engine.ts";
import type { WarmUps } from "../generation/warm-ups.ts";
import { formatById } from "../prompt/fim-format.ts";
import { deferred } from "../testing/deferred.ts";
import { warmRoutes } from "./warm-routes.ts";

/** @returns what the routes answer to one request */
async function askOnce(routes: ReturnType<typeof warmRoutes>, body: object): Promise<unknown> {
  const http = createServer(express().use(express.json(), routes));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const { port } = http.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/warm`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  await new Promise((done) => http.close(done));
  return answer;
}

test.each([
  ["looks at the place, and asks no model", { prefix: "return " }, true, "warming", [["return ", "rag"]]],
  ["looks at nothing without a cursor", {}, true, "off", []],
  ["looks at nothing for an engine that reads no prompt", { prefix: "return " }, false, "off", []],
] as const)("for context only, it %s", async (_, cursor, readsPrompt, state, expected) => {
  const looked: unknown[] = [];
  const serving = { engine: { readsPrompt } };
  const deps = {
    mode: "rag",
    retrieve: async ({ prefix }: { prefix: string }, mode: string) => void looked.push([prefix, mode]),
  };
  const answering = { place: (request: object) => ({ request, deps, serving }) } as unknown as Answering;
  const warmUps: WarmUps = { begin: () => expect.unreachable(), close() {} };
  const routes = warmRoutes(answering, { warmUps, running: { now: { engine: engineOf("any") } } });
  const body = { path: "a.ts", sessionId: "s", contextOnly: true, ...cursor };
  expect([await askOnce(routes, body), looked]).toEqual([{ state }, expected]);
});

const engineOf = (model: string) => ({ name: "ollama", model, readsPrompt: true }) as Engine;

test.each([
  ["reads ahead once the engine is ready", "first", true, { applied: 1, read: 1 }],
  ["reads nothing for a model that was changed while it was loaded", "second", true, { applied: 0, read: 0 }],
  ["leaves the ladder its next trial while the engine is busy", "first", false, { applied: 0, read: 0 }],
])("%s", async (_, changedTo, isIdle, expected) => {
  const [first, second] = [engineOf("first"), engineOf("second")];
  const running = { now: { engine: first } };
  const loaded = deferred<void>();
  const did = { applied: 0, read: 0 };
  const serving = {
    engine: first,
    degrade: {
      apply(request: object, deps: object) {
        did.applied++;
        return { request, deps };
      },
    },
  };
  const deps = {
    ...{ engine: () => first, queue: () => ({ isIdle }), format: formatById("qwen"), mode: "rag" },
    writer: { writeAhead: () => void did.read++ },
  };
  const answering = { place: (request: object) => ({ request, deps, serving }) } as unknown as Answering;
  const warmUps: WarmUps = { begin: () => ({ state: "warming", done: loaded.promise }), close() {} };
  const answer = await askOnce(warmRoutes(answering, { warmUps, running }), {
    ...{ path: "a.ts", prefix: "return ", sessionId: "s" },
  });
  expect(answer).toEqual({ state: "warming" });
  expect(did.read).toBe(0);
  if (changedTo === "second") running.now = { engine: second };
  loaded.resolve();
  await new Promise(setImmediate);
  expect(did).toEqual(expected);
});
