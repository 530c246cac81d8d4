import type { StatusResponse } from "@dhi/core/protocol";
import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { status } from "../server/server-state.ts";
import { followContents } from "./contents.tsx";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

let asked: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  asked = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return Response.json({ languages: [], lastChanged: [] });
  });
});
afterEach(() => vi.useRealTimers());

const say = (name: string, lastChangeAt: string) => {
  const workspaces = [{ name, indexer: { lastChangeAt } }];
  status.value = { workspaces } as unknown as StatusResponse;
};

test("the index is summed up at once, and anew when it has changed: not each time the server says how it is", async () => {
  say("shop", "2026-01-01T00:00:00Z");
  const stop = effect(followContents);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(["/v1/contents?workspace=shop"]);
  say("shop", "2026-01-01T00:00:00Z");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(1);
  say("shop", "2026-01-01T00:01:00Z");
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBe(2);
  stop();
});

test("an index that changes all the time is summed up every ten seconds, another workspace at once", async () => {
  const stop = effect(followContents);
  for (let second = 0; second < 25; second++) {
    say("busy", `second ${second}`);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked.length).toBe(3);
  say("other", "now");
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.at(-1)).toBe("/v1/contents?workspace=other");
  stop();
});
