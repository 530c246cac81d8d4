import { expect, test } from "vitest";
import { needOf } from "./need.ts";

/** Of Qwen2.5-Coder 1.5B: 28 layers, 2 heads of 128 numbers each for keys and values (its config.json). */
const qwen = { layers: 28, kvHeads: 2, keyLength: 128, valueLength: 128 };

test("the cache holds a key and a value for each token, layer and head, two bytes a number", () => {
  // llama.cpp prints "KV buffer size = 56.00 MiB" for this model at 2,048 tokens.
  expect(needOf(0, qwen, 2_048).context).toBe(56 * 1024 ** 2);
});

test("a model needs its files, its cache and the runner's buffers", () => {
  const { context, all } = needOf(986e6, qwen, 2_048);
  expect(all - 986e6 - (context ?? 0)).toBeGreaterThan(300e6);
  expect(needOf(986e6, undefined, 2_048)).toEqual({ context: null, all: all - (context ?? 0) });
});
