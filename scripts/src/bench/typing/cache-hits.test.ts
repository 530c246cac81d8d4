import type { FimDone } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { cacheHits } from "./cache-hits.ts";

const answer = (reuse: FimDone["reuse"]): FimDone => ({
  ...{
    done: true,
    requestId: "r",
    completion: "",
    reason: "ok",
    engine: "ollama",
    model: "fake",
    mode: "rag",
  },
  ...{
    format: "qwen",
    step: "full",
    debounceMs: null,
    reuse,
    finish: "stop",
    meanLogprob: null,
    confidence: null,
  },
  ...{ sources: [], usage: { promptTokens: null, cachedTokens: null, completionTokens: null } },
  timings: { queue: 0, retrieval: 0, prompt: 0, firstToken: 0, engine: 0, postprocess: 0, total: 0.7 },
});

test("asks for each character, and counts what the server had once its code is warm", async () => {
  const prefixes: number[] = [];
  await using server = await startFakeServer(({ body }, response) => {
    prefixes.push(String(Object(body).prefix).length);
    response.write('data: {"text":"a"}\n\n');
    response.end(`data: ${JSON.stringify(answer(prefixes.length % 2 ? "none" : "cached"))}\n\n`);
  });
  const aimed: string[] = [];
  const piece = { path: "a.ts", before: "ab", lines: "c".repeat(215), after: "\nd" };
  const hits = await cacheHits(server.url, { aim: (text) => aimed.push(text) }, [piece], 1_000, 0);
  expect(hits.map(({ totalMs }) => totalMs)).toEqual(Array(7).fill(0.7));
  expect(hits.every(({ firstByteMs }) => firstByteMs > 0)).toBe(true);
  expect([aimed, prefixes.at(0), prefixes.at(-1)]).toEqual([[`ab${piece.lines}\nd`], 2, 216]);
});
