import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { readAgain } from "./read-again.ts";

test("adds up what a llama-server counts, with and without the first prompt of each piece", async () => {
  await using server = await startFakeServer(({ body }, response) => {
    const { prompt } = body as { prompt: string };
    response.end(JSON.stringify({ tokens_evaluated: prompt.length, timings: { cache_n: 2 } }));
  });
  const prompts = [
    { text: "first", isFirst: true },
    { text: "second", isFirst: false },
  ];
  expect(await readAgain(server.url, prompts)).toEqual({
    ...{ promptTokens: 11, cachedTokens: 4 },
    ...{ warmTokens: 6, warmCachedTokens: 2 },
  });
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { prompt: "first", id_slot: 0, cache_prompt: true },
    { prompt: "second" },
  ]);
});

test("says what a server that refuses says", async () => {
  await using server = await startFakeServer((_, response) => {
    response.writeHead(400).end("too long");
  });
  await expect(readAgain(server.url, [{ text: "a", isFirst: true }])).rejects.toThrow("400 too long");
});
