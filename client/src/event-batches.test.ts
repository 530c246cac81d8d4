import type { CompletionEvent } from "@dhi/core/events-protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventBatches } from "./event-batches.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const event = (requestId: string): CompletionEvent => ({
  ...{ event: "rejected", languageId: "python", visibleMs: 400 },
  requestId,
});

function setUp(send: () => Promise<unknown> = async () => {}) {
  const batches: string[][] = [];
  const events = createEventBatches((batch) => {
    batches.push(batch.map(({ requestId }) => requestId));
    return send();
  }, 1_000);
  return { batches, ...events };
}

test("sends what came within the delay at once", async () => {
  const { add, batches } = setUp();
  add(event("a"));
  await vi.advanceTimersByTimeAsync(999);
  add(event("b"));
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  add(event("c"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches).toEqual([["a", "b"], ["c"]]);
});

test("sends no more at once than the server takes", () => {
  const { add, flush, batches } = setUp();
  for (let i = 0; i < 150; i++) add(event(`${i}`));
  expect(batches.map((batch) => batch.length)).toEqual([100]);
  flush();
  flush();
  expect(batches.map((batch) => batch.length)).toEqual([100, 50]);
});

test("forgets what cannot be sent", async () => {
  const { add, flush, batches } = setUp(async () => {
    throw new Error("down");
  });
  add(event("a"));
  flush();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(batches).toEqual([["a"]]);
});

test("sends nothing once disposed", async () => {
  const { add, flush, dispose, batches } = setUp();
  add(event("a"));
  dispose();
  flush();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(batches).toEqual([]);
});
