import type { FimDone } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Span, Stopwatch } from "../stopwatch.ts";
import { hopSpans } from "./hop-spans.ts";

const watched = (...spans: Span[]): Stopwatch => ({
  ...{ spans, startedAt: 1_000, lap() {}, part() {}, total: () => 0 },
  laps: () => ({ queue: 0, retrieval: 0, prompt: 0, engine: 0, postprocess: 0 }),
});
const at = (name: string, from: number, to: number): Span => ({ name, from, to });

/** @param firstToken milliseconds after the start */
const done = (reuse: FimDone["reuse"], firstToken: number | null): FimDone =>
  ({
    ...{ reuse, finish: "stop", usage: { promptTokens: 9, cachedTokens: null, completionTokens: 2 } },
    timings: { firstToken },
  }) as FimDone;

const named = (spans: ReturnType<typeof hopSpans>) => spans.map(({ name, from, to }) => [name, from, to]);

test("the engine reads until its first text, and writes from there on", () => {
  const watch = watched(
    at("queue", 1_000, 1_100),
    at("engine", 1_100, 1_500),
    at("postprocess", 1_500, 1_501),
  );
  const spans = hopSpans(watch, done("none", 300));
  expect(named(spans)).toEqual([
    ["queue", 1_000, 1_100],
    ["prefill", 1_100, 1_300],
    ["decode", 1_300, 1_500],
    ["postprocess", 1_500, 1_501],
  ]);
  expect(spans.map(({ attributes }) => attributes)).toEqual([
    {},
    { "dhi.tokens.prompt": 9 },
    { "dhi.tokens.completion": 2, "dhi.finish": "stop" },
    {},
  ]);
});

test.each([
  [
    "without a text it only read",
    null,
    [
      ["prefill", 1_100, 1_500],
      ["decode", 1_500, 1_500],
    ],
  ],
  [
    "a text that was there before the engine's turn was read for nothing",
    50,
    [
      ["prefill", 1_100, 1_100],
      ["decode", 1_100, 1_500],
    ],
  ],
])("%s", (_, firstToken, expected) => {
  expect(named(hopSpans(watched(at("engine", 1_100, 1_500)), done("none", firstToken)))).toEqual(expected);
});

test("what an earlier call wrote is called as it was used, and the time for one that wrote something else is told", () => {
  expect(named(hopSpans(watched(at("engine", 1_000, 1_200)), done("joined", 10)))).toEqual([
    ["joined", 1_000, 1_200],
  ]);
  const watch = watched(at("engine", 1_000, 1_200), at("prompt", 1_200, 1_210), at("engine", 1_210, 1_300));
  expect(named(hopSpans(watch, done("none", 250))).map(([name]) => name)).toEqual([
    ...["other-call", "prompt", "prefill", "decode"],
  ]);
  const none = watched(at("engine", 1_000, 1_000.2), at("engine", 1_001, 1_300));
  expect(named(hopSpans(none, done("none", 250))).map(([name]) => name)).toEqual(["prefill", "decode"]);
});

test("of a request without an answer there is what was reached, with the legs in their stage", () => {
  const leg = { name: "lexical", of: "retrieval", from: 1_001, to: 1_005 } as const;
  const [retrieval, engine] = hopSpans(
    watched(leg, at("retrieval", 1_000, 1_010), at("engine", 1_010, 1_400)),
    undefined,
  );
  expect(retrieval).toMatchObject({
    name: "retrieval",
    parts: [{ name: "retrieval.lexical", from: 1_001, to: 1_005 }],
  });
  expect(engine).toMatchObject({ name: "engine", from: 1_010, to: 1_400 });
});
