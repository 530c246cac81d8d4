import type { CompletionEvent } from "@dhi/core/events-protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createGhostFeed, type GhostFeedDeps } from "./ghost-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

/** `x = ` with `total(a)` shown behind it, which is accepted. */
function accepting(changed: Partial<GhostFeedDeps> = {}) {
  const sent: CompletionEvent[] = [];
  let code = "x = total(a)";
  const feed = createGhostFeed({
    isOn: () => true,
    send: async (events) => void sent.push(...events),
    read: (_, start, end) => code.slice(start, end),
    ...changed,
  });
  feed.offer(
    {
      ...{ requestId: "r1", languageId: "python", document: "a.py", start: 4, cursor: 4 },
      ...{ text: "total(a)", selected: 0, latencyMs: 40, others: [] },
    },
    performance.now(),
  );
  const kind = feed.changed(
    { document: "a.py", offset: 4, length: 0, text: "total(a)" },
    performance.now() + 400.4,
  );
  return {
    ...{ feed, sent, kind },
    edit(text: string) {
      code = text;
    },
    told: () => sent.map((one) => (one.event === "survived" ? [one.afterMs, one.kept] : one.event)),
    after: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

test("tells of what was accepted within seconds, and four times later what is left of it", async () => {
  const { told, sent, after, edit } = accepting();
  await after(11_000);
  expect(told()).toEqual(["shown", "accepted"]);
  expect(sent[1]).toMatchObject({ visibleMs: 400 });
  await after(MINUTE);
  edit("x = total(b)");
  await after(11 * MINUTE);
  expect(told().slice(2)).toEqual([
    [30_000, 1],
    [120_000, 7 / 8],
    [300_000, 7 / 8],
    [600_000, 7 / 8],
  ]);
});

test("holds no code", async () => {
  const { sent, after } = accepting();
  await after(11 * MINUTE);
  expect(JSON.stringify(sent)).not.toContain("total");
});

test("says what a change was, and tells and follows nothing, while it is off", async () => {
  let reads = 0;
  const read = () => {
    reads++;
    return "";
  };
  const { kind, sent, after } = accepting({ isOn: () => false, read });
  await after(11 * MINUTE);
  expect([kind, sent, reads]).toEqual(["accepted", [], 0]);
});

test("follows nothing of a file that may not be told of any more", async () => {
  const { told, after } = accepting({ read: () => undefined });
  await after(11 * MINUTE);
  expect(told()).toEqual(["shown", "accepted"]);
});

test("what waits to be sent when it is switched off is not", async () => {
  let isOn = true;
  const { sent, after } = accepting({ isOn: () => isOn });
  isOn = false;
  await after(11 * MINUTE);
  expect(sent).toEqual([]);
});

test("sends what is left when the window is closed, and nothing after that", async () => {
  const { feed, told, after } = accepting();
  feed.dispose();
  await after(11 * MINUTE);
  expect(told()).toEqual(["shown", "accepted"]);
});

test("sends what there is when the editor is left, and goes on when somebody comes back", async () => {
  const { feed, told, after } = accepting();
  feed.leave();
  await after(0);
  expect(told()).toEqual(["shown", "accepted"]);
  await after(MINUTE);
  expect(told().slice(2)).toEqual([[30_000, 1]]);
});
