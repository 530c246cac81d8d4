import type { StatusResponse } from "@dhi/core/protocol";
import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { status } from "../server/server-state.ts";
import { followOpenFile } from "./open-file.ts";
import { edited, fileKey, type OpenFile, openFile, openProblem } from "./playground-state.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const FILE: OpenFile = { workspace: "shop", path: "a.py", language: "python", text: "old\n" };
/** `undefined`: there is no such file. */
let onDisk: string | undefined;
let reads: number;
let stop: () => void;

beforeEach(() => {
  reads = 0;
  openFile.value = FILE;
  openProblem.value = undefined;
  status.value = undefined;
  vi.stubGlobal("fetch", async () => {
    reads++;
    return onDisk === undefined
      ? Response.json({ error: { code: "not_indexed", message: "no" } }, { status: 404 })
      : Response.json({ path: "a.py", language: "python", text: onDisk });
  });
  stop = effect(followOpenFile);
});
afterEach(() => {
  stop();
  edited.value = new Set();
});

let changes = 0;
function indexChanges() {
  const workspaces = [{ name: "shop", indexer: { lastChangeAt: `change ${++changes}` } }];
  status.value = { workspaces } as unknown as StatusResponse;
}

test("an open file that changed on the disk shows as it is by now", async () => {
  onDisk = "new\n";
  indexChanges();
  await expect.poll(() => openFile.value).toEqual({ ...FILE, text: "new\n", isReadAgain: true });
});

test("an open file that is gone is said to be, and shows on", async () => {
  onDisk = undefined;
  indexChanges();
  await expect.poll(() => openProblem.value).toMatch(/gone from the index/);
  expect(openFile.value).toBe(FILE);
});

test("a file that somebody types in stays as it is typed", async () => {
  edited.value = new Set([fileKey(FILE)]);
  reads = 0;
  onDisk = "new\n";
  indexChanges();
  expect(reads).toBe(0);
});
