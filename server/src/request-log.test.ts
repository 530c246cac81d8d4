import { PassThrough } from "node:stream";
import { indexDir } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { fimDone } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { seedIndex } from "./testing/seed-index.ts";
import { serve } from "./testing/serve.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e-7";
const UUID = /^[0-9a-f-]{36}$/;
const WORKSPACE = "/work/shop";

type Line = Readonly<Record<string, unknown>>;

function memoryLog() {
  const out = new PassThrough();
  const lines: Line[] = [];
  const read = () => {
    const text: unknown = out.read();
    if (text !== null)
      lines.push(
        ...String(text)
          .trim()
          .split("\n")
          .map((line): Line => JSON.parse(line)),
      );
    return lines;
  };
  return { log: createLogger("server", "debug", out), read, take: () => read().splice(0) };
}

/** A server with an index, whose engine speaks OpenAI's API and whose indexer is there; Chroma is away. */
async function start(answer: string | undefined) {
  const engine = await startFakeServer(({ path }, response) => {
    if (path === "/v1/models") return void response.end(JSON.stringify({ data: [{ id: "m" }] }));
    if (answer === undefined)
      return void response.writeHead(500).end(JSON.stringify({ error: "out of memory" }));
    const events = [{ choices: [{ text: answer, finish_reason: "stop" }] }].map(
      (e) => `data: ${JSON.stringify(e)}\n\n`,
    );
    response.end(`${events.join("")}data: [DONE]\n\n`);
  });
  const indexer = await startFakeServer((_, response) => void response.end(JSON.stringify({ indexed: 1 })));
  const { log, read, take } = memoryLog();
  const env = {
    ...{ ENGINE: "openai", OPENAI_BASE_URL: engine.url, FIM_MODEL: "m", FIM_FORMAT: "qwen" },
    ...{ INDEXER_HOST: indexer.url, WORKSPACE, RETRIEVAL_TIMEOUT_MS: "5000" },
  };
  const seed = (home: string) => {
    const db = seedIndex(indexDir(home, WORKSPACE), [{ path: "b.ts", text: "export const b = 2;\n" }]);
    for (const [key, value] of [
      ["collection", "c"],
      ["embedder", "ollama:nomic-embed-text"],
    ])
      db.prepare("INSERT INTO meta VALUES (?, ?)").run(key, value);
    db.close();
  };
  const server = await serve(env, seed, log);
  return {
    ...{ engine, indexer, server, read, take },
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      for (const one of [server, engine, indexer]) await one[Symbol.asyncDispose]();
    },
  };
}

test("a request's id is on every line that it causes, at the engine, and in the answer", async () => {
  await using here = await start("+ b");
  const response = await here.post("/v1/fim", {
    path: "a.ts",
    prefix: "const one = 1;\nreturn a ",
    requestId: ID,
  });
  const events = (await response.text())
    .trim()
    .split("\n\n")
    .map((event) => JSON.parse(event.slice(5)));
  expect(response.headers.get("x-request-id")).toBe(ID);
  expect(fimDone.parse(events.at(-1)).requestId).toBe(ID);
  const completion = here.engine.requests.findIndex(({ path }) => path === "/v1/completions");
  expect(here.engine.headers(completion)["x-request-id"]).toBe(ID);
  await expect.poll(() => here.read().some(({ msg }) => msg === "request")).toBe(true);
  const lines = here.take();
  expect(lines.every(({ requestId }) => requestId === ID)).toBe(true);
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      ...[expect.stringMatching(/^completions go on without this leg: /), "completion", "request"],
    ]),
  );
  expect(lines.at(-1)).toMatchObject({ method: "POST", route: "/v1/fim", status: 200, isCancelled: false });
});

test("requests at the same time keep their lines apart", async () => {
  await using here = await start("+ b");
  const ids = Array.from({ length: 8 }, (_, i) => `${ID}${i}`);
  await Promise.all(
    ids.map(async (requestId, i) =>
      (await here.post("/v1/fim", { path: `f${i}.ts`, prefix: `return a${i} `, requestId })).text(),
    ),
  );
  const completed = () => here.read().filter(({ msg }) => msg === "completion");
  await expect
    .poll(() =>
      completed()
        .map(({ requestId }) => requestId)
        .sort(),
    )
    .toEqual(ids);
});

test("without one in the body the header's id counts, else a new one; the original API has it in its header", async () => {
  await using here = await start("+ b");
  const body = { file_path: "a.ts", prefix: "return a " };
  const named = await here.post("/complete", body, { "x-request-id": ID });
  const bare = await here.post("/complete", { ...body, prefix: "return b " });
  expect([named, bare].map((one) => one.headers.get("x-request-id"))).toEqual([
    ID,
    expect.stringMatching(UUID),
  ]);
  const sent = here.engine.requests.flatMap(({ path }, n) =>
    path === "/v1/completions" ? [here.engine.headers(n)["x-request-id"]] : [],
  );
  expect(sent).toEqual([ID, bare.headers.get("x-request-id")]);
});

test("what fails can be found in the log by the id of the answer", async () => {
  await using here = await start(undefined);
  const failed = await here.post("/v1/fim", { path: "a.ts", prefix: "return a ", requestId: ID });
  expect(await failed.text()).toMatch("out of memory");
  await expect
    .poll(() => here.read().filter(({ level, code }) => level === 40 && code === "upstream"))
    .toEqual([expect.objectContaining({ requestId: ID })]);
  const bad = await here.post("/v1/fim", { prefix: 1 }, { "x-request-id": ID });
  expect([bad.status, bad.headers.get("x-request-id")]).toEqual([400, ID]);
  const noJson = await fetch(`${here.server.url}/v1/fim`, { method: "POST", body: "{" });
  expect([noJson.status, noJson.headers.get("x-request-id")]).toEqual([400, expect.stringMatching(UUID)]);
});

test("the indexer is told whose request it is", async () => {
  await using here = await start("+ b");
  const answer = await here.post("/index", { file_path: "a.ts", content: "a" }, { "x-request-id": ID });
  expect(await answer.json()).toEqual({ indexed: 1 });
  expect(here.indexer.headers(0)["x-request-id"]).toBe(ID);
});

test("an id that may be code is returned as it is, and logged as a hash", async () => {
  await using here = await start("+ b");
  const answer = await here.post("/v1/fim", {
    path: "a.ts",
    prefix: "return a ",
    requestId: "getSecretName",
  });
  expect(answer.headers.get("x-request-id")).toBe("getSecretName");
  await answer.text();
  await expect.poll(() => here.read().some(({ msg }) => msg === "request")).toBe(true);
  expect(JSON.stringify(here.read())).not.toMatch("SecretName");
  expect(here.read().every(({ requestId }) => /^#[0-9a-f]{16}$/.test(String(requestId)))).toBe(true);
});
