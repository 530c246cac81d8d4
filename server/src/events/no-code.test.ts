/** What is kept or told of requests holds no code, whatever a client sends and however the servers behind us fail. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { CompletionEvent } from "@dhi/core/events-protocol";
import { indexDir } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startFakeCollector } from "../testing/fake-collector.ts";
import { startFakeOllama } from "../testing/fake-ollama.ts";
import { seedIndex } from "../testing/seed-index.ts";
import { serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";

const QWEN = "qwen2.5-coder:1.5b-base";
const PATH = "aDir/someLongName.ts";
/** So many characters may be a word of anybody's. */
const LEAST = 8;

const word = fc.stringMatching(/^[a-z]{3,9}[A-Z][a-z]{2,9}$/);
const line = fc.tuple(word, word, fc.nat()).map(([a, b, n]) => `  const ${a} = ${b}(${n}); // ${b} of ${a}`);
const file = fc.array(line, { minLength: 60, maxLength: 60 }).map((lines) => lines.join("\n"));
const sampleOf = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, 1)[0] as T;

/** Ways in which a model server answers a prompt, its own text and failures that quote what it was asked. */
const ways: readonly ((prompt: string) => { status: number; body: object } | undefined)[] = [
  () => undefined,
  () => undefined,
  (prompt) => ({ status: 400, body: { error: `input '${prompt.slice(-300)}' is too long` } }),
  (prompt) => ({ status: 500, body: { error: { message: JSON.stringify(prompt.slice(0, 400)) } } }),
  (prompt) => ({ status: 200, body: { response: [prompt.slice(-200)] } }),
  (prompt) => ({ status: 200, body: { error: `cannot go on from ${prompt.slice(-100)}` } }),
];

test("no 8 characters of an indexed file are in the database, the log, the figures or the traces", async () => {
  const code = sampleOf(file);
  const pieces = fc.tuple(fc.nat(code.length - 9), fc.nat(60)).map(([at, n]) => code.slice(at, at + 9 + n));
  let turn = 0;
  await using ollama = await startFakeOllama({
    [QWEN]: {
      shown: shownModels.qwen,
      answer: code.slice(0, 40),
      // Not its self-test, after which it would count as unfit.
      breaks: (prompt) => (prompt.includes("def add(") ? undefined : ways[turn++ % ways.length]?.(prompt)),
    },
  });
  // What Chroma and the indexer are asked with is quoted as well.
  await using other = await startFakeServer(({ path, body }, response) => {
    const quoted = `${decodeURIComponent(path)} ${JSON.stringify(body ?? "")}`;
    const error = { code: "broken", message: `cannot take ${quoted.slice(0, 2_000)}` };
    response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  await using collector = await startFakeCollector();
  using workspace = tempDir();
  const out = new PassThrough();
  let stored = "";
  let figures = "";
  {
    await using server = await serve(
      {
        ...{ DHI_METRICS: "on", ENGINE: "ollama", OLLAMA_HOST: ollama.url, CHROMA_HOST: other.url },
        ...{ INDEXER_HOST: other.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
        ...{ WORKSPACE: workspace.dir, RETRIEVAL_TIMEOUT_MS: "2000" },
      },
      (home) => {
        const db = seedIndex(indexDir(home, workspace.dir), [{ path: PATH, text: code }]);
        for (const [key, value] of Object.entries({ collection: "c", embedder: `ollama:${QWEN}` }))
          db.prepare("INSERT INTO meta VALUES (?, ?)").run(key, value);
        db.close();
      },
      createLogger("server", "trace", out),
    );
    const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) }).then((r) => r.text());

    for (const piece of fc.sample(pieces, 8)) {
      const languageId = piece.slice(0, 64);
      const at = sampleOf(fc.nat(code.length));
      const request = { path: PATH, prefix: code.slice(0, at), suffix: code.slice(at), languageId };
      const inHeader = encodeURIComponent(piece).slice(0, 200);
      const headers = {
        ...{ "x-request-id": inHeader, tracestate: `a=${piece.replaceAll(/\W/g, "")}` },
        traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`,
      };
      await ask("/v1/fim", { ...request, requestId: piece }, headers);
      await ask("/complete", { file_path: PATH, prefix: request.prefix, suffix: request.suffix }, headers);
      await ask("/v1/prompt", request);
      await ask("/v1/completions", { model: QWEN, prompt: request.prefix, suffix: request.suffix });
      await ask("/search", { query: piece, mode: "vector" });
      await ask("/index", { file_path: PATH, content: code });
      await ask("/v1/documents", { path: PATH, version: 1, content: code });
      await ask(`/${inHeader}`, {});
      await ask("/v1/fim", { ...request, mode: piece });
      await ask("/v1/warm", { ...request, requestId: piece });
      await ask("/v1/models/pull", { model: piece });
      await ask(`/v1/fim?prefix=${inHeader}`, { prefix: [piece], suffix: { piece } });
      await ask("/v1/completions", { model: piece, prompt: [piece] });
      await fetch(`${server.url}/v1/config`, { method: "PUT", body: JSON.stringify({ model: piece }) });
      for (const query of [
        "file?path",
        "explain?path",
        "symbols?name",
        "callers?name",
        "files?match",
        "stats?days",
      ])
        await fetch(`${server.url}/v1/${query}=${encodeURIComponent(piece)}`);
      await fetch(`${server.url}/v1/jobs/${encodeURIComponent(piece)}`);
      await fetch(`${server.url}/v1/fim`, { method: "POST", body: `{"prefix": ${piece}` });
      const about = { requestId: piece, languageId };
      const events: CompletionEvent[] = [
        { event: "shown", ...about, chars: 3, latencyMs: 80 },
        { event: "accepted", ...about, chars: 3, visibleMs: 900 },
        { event: "survived", requestId: `unknown ${piece}`, languageId, afterMs: 30_000, kept: 1 },
      ];
      await ask("/v1/events", { events });
    }
    figures = await (await fetch(`${server.url}/metrics`)).text();
    figures += await (await fetch(`${server.url}/v1/events?format=csv`)).text();
    figures += await (await fetch(`${server.url}/v1/stats`)).text();
    const days = readdirSync(join(server.home, "events")).map((name) => join("events", name));
    expect(days).toHaveLength(1);
    stored = ["metrics.db", "metrics.db-wal", ...days]
      .map((name) => readFileSync(join(server.home, name), "latin1"))
      .join("");
  }
  const log = String(out.read());
  const traces = JSON.stringify(collector.requests);
  const secrets = Array.from(code, (_, at) => code.slice(at, at + LEAST));
  for (const [where, text] of Object.entries({ stored, log, figures, traces })) {
    const found = secrets.filter((piece) => piece.length >= LEAST && text.includes(piece));
    expect({ where, found }).toEqual({ where, found: [] });
  }
  // A log may name a file.
  expect(stored + figures + traces).not.toContain("someLongName");
  // That there was something to be found in.
  expect(stored).toContain(QWEN);
  expect(log).toMatch(/"code":"upstream".*cannot take/);
  expect(log).toMatch(/"code":"upstream".*"msg":"ollama: /);
  expect(log).toContain("completions go on without this leg");
  expect(figures).toContain('dhi_failures_total{code="upstream"}');
  expect(traces).toContain('"decode"');
}, 30_000);
