import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { activate, deactivate } from "./extension.ts";
import { send } from "./http.ts";
import { sendJson, serverStatus } from "./testing/answers.ts";
import { commands, Disposable, editor, languages, window, workspace } from "./testing/fake-vscode.ts";

vi.mock("vscode", async (original) => {
  class Plain {}
  class EventEmitter {
    event = () => {};
    fire() {}
    dispose() {}
  }
  return {
    ...(await original<object>()),
    ...{
      l10n: { t: (words: string, ...args: unknown[]) => words.replace(/\{(\d)\}/g, (_, n) => `${args[n]}`) },
    },
    ...{ MarkdownString: Plain, ThemeColor: Plain, EventEmitter, StatusBarAlignment: { Right: 2 } },
  };
});

/** @returns what the status bar says */
function activated(server: FakeServer, settings: Record<string, unknown>) {
  editor.start({ serverUrl: server.url, debounceMs: 0, ...settings });
  const nothing = () => new Disposable(() => {});
  const item = { text: "", show() {}, dispose() {} };
  const channel = { info() {}, warn() {}, appendLine() {}, show() {}, dispose() {} };
  Object.assign(window, { createOutputChannel: () => channel, createStatusBarItem: () => item });
  Object.assign(workspace, { registerTextDocumentContentProvider: nothing });
  Object.assign(commands, { executeCommand: async () => {} });
  Object.assign(languages, { registerDocumentLinkProvider: nothing });
  const subscriptions: Disposable[] = [];
  const extension = { id: "dhi.dhi", packageJSON: { version: "0.1.0" } };
  activate({ subscriptions, extension, globalStorageUri: { fsPath: "/nowhere" } } as never);
  onTestFinished(async () => {
    await deactivate();
    Disposable.from(...subscriptions).dispose();
  });
  return () => item.text;
}

const startDhi = () => startFakeServer((_, response) => sendJson(response, serverStatus()));

const statusCalls = (server: FakeServer) =>
  server.requests.filter(({ path }) => path === "/v1/status").length;

vi.mock("./http.ts", { spy: true });
beforeEach(() => void vi.mocked(send).mockClear());

test("nothing is asked before VS Code has activated it, and then how the server is", async () => {
  await using server = await startDhi();
  activated(server, {});
  expect(send).not.toHaveBeenCalled();
  await expect.poll(() => server.requests.map(({ path }) => path)).toEqual(["/v1/status"]);
});

test("on for one language only, the status bar says so in its files, and the server is asked then", async () => {
  await using server = await startDhi();
  const says = activated(server, { enable: false, "[python] enable": true });
  await expect.poll(says).toBe("$(circle-slash) Dhi: off");
  editor.open("/code/shop/a.md", "", { languageId: "markdown" });
  // After the timer of `activate`.
  await new Promise((done) => setTimeout(done));
  expect(send).not.toHaveBeenCalled();
  editor.open("/code/shop/a.py", "");
  await expect.poll(says).toBe("Dhi");
  await expect.poll(() => server.requests.map(({ path }) => path)).toContain("/v1/status");
});

test("off for one language only, the status bar says so in its files alone", async () => {
  await using server = await startDhi();
  const says = activated(server, { "[markdown] enable": false });
  editor.open("/code/shop/a.md", "", { languageId: "markdown" });
  await expect.poll(says).toBe("$(circle-slash) Dhi: off for markdown");
  editor.open("/code/shop/a.py", "");
  await expect.poll(says).toBe("Dhi");
});

test("a server that does not index a saved file is asked how it is, and not called unreachable", async () => {
  await using server = await startFakeServer(({ path }, response) => {
    if (path === "/index") response.destroy();
    else sendJson(response, serverStatus());
  });
  const says = activated(server, {});
  editor.open("/code/shop/a.py", "x█");
  await expect.poll(() => statusCalls(server)).toBe(1);
  const seen: string[] = [];
  editor.save();
  await expect
    .poll(() => {
      seen.push(says());
      return statusCalls(server);
    })
    .toBe(2);
  expect(new Set(seen)).toEqual(new Set(["Dhi"]));
});

test("a request that a server refuses is told as why there is nothing, and stays so while it is well", async () => {
  const message = "model 'x' not found";
  await using server = await startFakeServer(({ path }, response) => {
    if (path === "/v1/fim") sendJson(response, { error: { code: "upstream", message } }, 502);
    else sendJson(response, serverStatus());
  });
  const says = activated(server, {});
  editor.open("/code/shop/a.py", "x = █");
  editor.type("y");
  expect(await editor.suggest()).toBeUndefined();
  await expect.poll(says).toBe(`Dhi: no suggestion: ${message}`);
  await expect.poll(() => statusCalls(server)).toBeGreaterThan(0);
  expect(says()).toBe(`Dhi: no suggestion: ${message}`);
});

test("unsaved buffers are sent anew to a server that was started again between two looks at it", async () => {
  let startedAt = "2026-01-02T03:04:05.678Z";
  await using server = await startFakeServer(({ path }, response) => {
    // A save that fails has the editor look how the server is.
    if (path === "/index") response.destroy();
    else sendJson(response, path === "/v1/status" ? { ...serverStatus(), startedAt } : { indexed: 1 });
  });
  const buffers = () => server.requests.filter(({ path }) => path === "/v1/documents").length;
  activated(server, {});
  await expect.poll(() => statusCalls(server)).toBe(1);
  editor.open("/code/shop/b.py", "x");
  editor.open("/code/shop/a.py", "x█");
  editor.type("y");
  await expect.poll(buffers).toBe(1);
  startedAt = "2026-01-02T03:05:00.000Z";
  editor.open("/code/shop/b.py", "x");
  editor.save();
  await expect.poll(buffers).toBe(2);
});
