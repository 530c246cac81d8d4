import type { StatusResponse } from "@dhi/core/protocol";
import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { status } from "../server/server-state.ts";
import { followSkipped, match, reason, showMore, skipped } from "./skipped-files.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const REASONS = [
  { reason: "binary", files: 3 },
  { reason: "minified", files: 1 },
];
let asked: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  asked = [];
  // A page has one file.
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    const after = new URLSearchParams(address.split("?")[1]).get("after");
    const [path, next] = after === null ? ["a.png", "a.png"] : ["b.png", null];
    return Response.json({ reasons: REASONS, files: [{ path, reason: "binary", bytes: 1 }], next });
  });
  [match.value, reason.value] = ["", undefined];
  status.value = { workspaces: [{ name: "shop", indexer: {} }] } as unknown as StatusResponse;
  stop = effect(followSkipped);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const shown = () => skipped.value?.files.map(({ path }) => path);

test("the next page stands behind the one before", async () => {
  await vi.advanceTimersByTimeAsync(200);
  expect(shown()).toEqual(["a.png"]);
  await showMore();
  expect(shown()).toEqual(["a.png", "b.png"]);
  await showMore();
  expect(asked).toEqual(["/v1/skipped?workspace=shop", "/v1/skipped?workspace=shop&after=a.png"]);
});

test("no page of what was looked for before stands behind what is looked for now", async () => {
  await vi.advanceTimersByTimeAsync(200);
  reason.value = "binary";
  await showMore();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.slice(1)).toEqual(["/v1/skipped?workspace=shop&reason=binary"]);
  expect(skipped.value?.of.reason).toBe("binary");
});

test("nothing is asked again as long as the server says the same", async () => {
  await vi.advanceTimersByTimeAsync(200);
  const say = (skipped: object) => {
    status.value = { workspaces: [{ name: "shop", indexer: { skipped } }] } as unknown as StatusResponse;
  };
  say({ binary: 3 });
  await vi.advanceTimersByTimeAsync(200);
  const before = asked.length;
  say({ binary: 3 });
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.length).toBe(before);
  say({ binary: 4 });
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.length).toBe(before + 1);
});
