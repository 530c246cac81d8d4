import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { createIndexOnSave } from "./index-on-save.ts";
import { sendJson } from "./testing/answers.ts";

function setUp(url: string, debounceMs = 0) {
  const lines: string[] = [];
  const server = { url, token: "" };
  const indexOnSave = createIndexOnSave(
    {
      onIndexed: ({ path }, { indexed }) => lines.push(`${path}: ${indexed}`),
      onFailed: ({ path }, _, error) => lines.push(`${path}: ${(error as Error).name}`),
    },
    debounceMs,
  );
  return {
    lines,
    save: (path: string) => indexOnSave.saved({ path }, server),
    saveIn: (workspace: string, path: string) => indexOnSave.saved({ workspace, path }, server),
    dispose: indexOnSave.dispose,
  };
}

test("tells the server which file was saved, once for a burst of saves", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, { indexed: 3 }));
  const editor = setUp(server.url, 20);
  await Promise.all(["a.ts", "a.ts", "b.ts", "a.ts"].map(editor.save));
  expect(server.requests.map((r) => [r.method, r.path, r.body])).toEqual([
    ["POST", "/index", { file_path: "b.ts" }],
    ["POST", "/index", { file_path: "a.ts" }],
  ]);
  expect(editor.lines).toEqual(["b.ts: 3", "a.ts: 3"]);
});

test("files of one path in two workspaces are two files", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, { indexed: 3 }));
  const editor = setUp(server.url, 20);
  await Promise.all(["web", "docs", "web"].map((workspace) => editor.saveIn(workspace, "a.ts")));
  expect(server.requests.map((r) => r.body)).toEqual([
    { workspace: "docs", file_path: "a.ts" },
    { workspace: "web", file_path: "a.ts" },
  ]);
});

test("sends nothing for a file that holds secrets", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, { indexed: 1 }));
  const editor = setUp(server.url);
  await editor.save(".env");
  expect([server.requests, editor.lines]).toEqual([[], []]);
});

test("reports a server that is not there, without throwing", async () => {
  const editor = setUp(`http://127.0.0.1:${await closedPort()}`);
  await editor.save("a.ts");
  expect(editor.lines).toEqual(["a.ts: ServerUnreachable"]);
});

test("takes its requests back when the window closes", async () => {
  await using server = await startFakeServer(() => {});
  const editor = setUp(server.url);
  const saved = editor.save("a.ts");
  await expect.poll(() => server.requests.length).toBe(1);
  editor.dispose();
  await saved;
  await server.closed(0);
  expect(editor.lines).toEqual([]);
});
