import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLookAhead } from "./look-ahead.ts";
import type { WarmUp } from "./warm-ups.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const sent: WarmUp[] = [];
  const lookAhead = createLookAhead(async (request) => {
    sent.push(request);
    throw new Error("nobody hears of it");
  });
  return { ...lookAhead, sent };
}
const at = (path: string) => () => ({ path, languageId: "python" });

test("one is sent for the place where the cursor comes to rest", async () => {
  const { moved, sent } = setUp();
  moved(at("a"));
  await vi.advanceTimersByTimeAsync(149);
  moved(at("b"));
  await vi.advanceTimersByTimeAsync(149);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([{ path: "b", languageId: "python", contextOnly: true }]);
});

test("none is sent for a place that was left or typed at, or that nobody may ask about", async () => {
  const { moved, cancel, sent } = setUp();
  moved(at("a"));
  cancel();
  await vi.advanceTimersByTimeAsync(1_000);
  moved(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([]);
});
