import type { StatusResponse } from "@dhi/core/protocol";
import { effect } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { status } from "../server/server-state.ts";
import { followContents } from "./contents.tsx";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

test("the index is summed up anew when it has changed, not whenever the server was asked how it is", () => {
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    return Response.json({ languages: [], lastChanged: [] });
  });
  const say = (lastChangeAt: string) => {
    const workspaces = [{ name: "shop", indexer: { lastChangeAt } }];
    status.value = { workspaces } as unknown as StatusResponse;
  };
  say("2026-01-01T00:00:00Z");
  const stop = effect(followContents);
  say("2026-01-01T00:00:00Z");
  expect(asked).toBe(1);
  say("2026-01-01T00:00:05Z");
  expect(asked).toBe(2);
  stop();
});
