import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { closedPort, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Setup } from "./check.ts";
import { listenersOf } from "./listeners.ts";
import { ports } from "./ports.ts";

const live = () => AbortSignal.timeout(10_000);
/** By the path that each part is known by. */
const ANSWERS: Record<string, unknown> = {
  "/api/v2/version": "1.3.4",
  "/status": { workspaces: [] },
  "/api/tags": { models: [] },
};

let good: FakeServer;
let stranger: FakeServer;
beforeEach(async () => {
  good = await startFakeServer(({ path }, response) => void response.end(JSON.stringify(ANSWERS[path])));
  stranger = await startFakeServer((_, response) => void response.end("<html>"));
});
afterEach(async () => {
  for (const one of [good, stranger]) await one[Symbol.asyncDispose]();
});

const portOf = (url: string) => Number(new URL(url).port);
const look = (config: object = {}, { engine = "ollama", inCompose = false } = {}) =>
  ports.look(
    {
      config: {
        DHI_PORT: 0,
        CHROMA_HOST: good.url,
        INDEXER_HOST: good.url,
        OLLAMA_HOST: good.url,
        ...config,
      },
      ...{ running: { now: { engine: { name: engine } } }, inCompose },
    } as unknown as Setup,
    live(),
  );

test("tells whose each port is", async () => {
  const port = portOf(good.url);
  expect(await look()).toEqual({
    ...{ status: "ok", detail: `${port} Chroma, ${port} the indexer, ${port} Ollama` },
  });
  expect(await look({}, { inCompose: true })).toMatchObject({ status: "ok" });
});

test("a free port, and a server on another machine, are nothing to mend", async () => {
  const free = await closedPort();
  expect(
    await look({ CHROMA_HOST: `http://127.0.0.1:${free}`, OLLAMA_HOST: "http://gpu.lan:11434" }),
  ).toEqual({
    ...{ status: "ok", detail: `${free} free for Chroma, ${portOf(good.url)} the indexer` },
  });
});

test("a URL without a port means the usual one of its scheme", async () => {
  // Whoever may listen there: it is this port that is spoken of.
  expect(await look({ CHROMA_HOST: "https://127.0.0.1" })).toMatchObject({
    detail: expect.stringMatching(/\b443\b/),
  });
  expect(await look({ CHROMA_HOST: "http://127.0.0.1" })).toMatchObject({
    detail: expect.stringMatching(/\b80\b/),
  });
});

test("a port that another program has is a failure that names the program and its end", async () => {
  const port = portOf(stranger.url);
  expect(await look({ CHROMA_HOST: stranger.url })).toEqual({
    status: "fail",
    detail: expect.stringMatching(
      new RegExp(
        `^${port} is Chroma's by the settings, and what answers there is not: it belongs to .+ \\(pid ${process.pid}\\)$`,
      ),
    ),
    fix: `kill ${process.pid}, or set CHROMA_HOST to another port and restart Dhi`,
  });
  // What no request of HTTP gets an answer from.
  const silent = createServer((socket) => socket.end("220 mail\r\n"));
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port: mail } = silent.address() as AddressInfo;
  expect(await look({ OLLAMA_HOST: `http://127.0.0.1:${mail}` })).toMatchObject({ status: "fail" });
  expect(await look({ OLLAMA_HOST: `http://127.0.0.1:${mail}` }, { engine: "instant" })).toMatchObject({
    ...{ status: "warn", detail: expect.stringContaining(`${mail} is Ollama's`) },
  });
  silent.close();
});

test("of a part that hangs is told who it is, and of the others as well", async () => {
  await using hung = await startFakeServer(() => {});
  expect(await look({ INDEXER_HOST: hung.url })).toEqual({
    status: "warn",
    detail: expect.stringMatching(
      new RegExp(`^${portOf(hung.url)} is the indexer's by the settings; .+ listens there and says nothing$`),
    ),
  });
});

test("a second program at the server's own port is told, and the server itself is not", async () => {
  expect(await look({ DHI_PORT: portOf(good.url) })).toMatchObject({
    detail: expect.stringMatching(new RegExp(`^${portOf(good.url)} this server, `)),
  });
  const script =
    "const s = require('net').createServer().listen(0, '127.0.0.2', () => console.log(s.address().port))";
  const other = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(other.stdout, "data");
    const port = Number(String(line));
    const [holder] = await listenersOf(port, live());
    expect(holder).toEqual({ pid: other.pid, program: expect.stringMatching(/node|MainThread/) });
    expect(await look({ DHI_PORT: port })).toMatchObject({
      status: "warn",
      fix: `kill ${other.pid}, or set DHI_PORT to a free port and restart Dhi`,
    });
  } finally {
    other.kill();
    await once(other, "exit");
  }
});

test("nobody listens at a closed port", async () => {
  expect(await listenersOf(await closedPort(), live())).toEqual([]);
});
