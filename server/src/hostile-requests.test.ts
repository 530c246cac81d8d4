/** What web pages of strangers, and paths made up to lead elsewhere, get from the server as it is started. */
import { request } from "node:http";
import { indexDir } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedIndex } from "./testing/seed-index.ts";
import { type Served, serve } from "./testing/serve.ts";

let server: Served;
let workspace: ReturnType<typeof tempDir>;
let port: number;
beforeAll(async () => {
  workspace = tempDir();
  server = await serve({ ENGINE: "instant", WORKSPACE: workspace.dir }, (home) =>
    seedIndex(indexDir(home, workspace.dir), [{ path: "src/a.ts", text: "export const a = 1;\n" }]).close(),
  );
  port = Number(new URL(server.url).port);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  workspace[Symbol.dispose]();
});

/** As it is written: `fetch` would put the path in order, and has a Host of its own. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = { host: `127.0.0.1:${port}`, ...headers };
    const asking = request({ host: "127.0.0.1", port, method, path, headers: sent }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode ?? 0, text });
    });
    asking.on("error", reject).end();
  });
}

const FILE = "/v1/file?path=src/a.ts";

test("its own page may ask", async () => {
  expect(await ask("GET", FILE, { origin: `http://127.0.0.1:${port}` })).toMatchObject({ status: 200 });
});

test.each([
  ["another port", () => ({ origin: `http://127.0.0.1:${port + 1}` })],
  ["another scheme's port", () => ({ origin: "https://127.0.0.1" })],
  ["another name of this machine", () => ({ origin: `http://localhost:${port}` })],
  ["another site", () => ({ origin: "https://evil.example" })],
  ["a sandbox", () => ({ origin: "null" })],
  ["a name that leads here by now", () => ({ host: `evil.example:${port}` })],
  ["a name that only begins like this machine's", () => ({ host: `127.0.0.1.evil.example:${port}` })],
  ["all addresses", () => ({ host: `0.0.0.0:${port}` })],
  ["a picture of another site", () => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })],
])("a page of %s may not", async (_, headers) => {
  for (const [method, path] of [
    ["GET", FILE],
    ["GET", "/metrics"],
    ["POST", "/index-dir"],
    ["PUT", "/v1/config"],
  ] as const)
    expect(await ask(method, path, headers())).toMatchObject({ status: 403 });
});

describe("a path that leads out of the index", () => {
  const outside = [
    ...["../secret", "..%2fsecret", "%2e%2e/secret", "/etc/passwd", "//etc/passwd", "file:///etc/passwd"],
    ...["src/../.env", "./.env", ".env", ".ENV", ".env%00", "src/a.ts/../../.env", "\\..\\secret"],
    ...[".git/config", "src/a.ts/", "src//a.ts%00"],
  ];

  test.each(outside)("is no file: %s", async (path) => {
    const { status, text } = await ask("GET", `/v1/file?path=${path}`);
    // What is but another way to write the path of an indexed file is that file.
    if (status === 200) expect(JSON.parse(text)).toMatchObject({ path: "src/a.ts" });
    else expect([400, 404]).toContain(status);
    expect(text).not.toContain("root:");
  });

  test.each([
    ...["/assets/../../package.json", "/assets/..%2f..%2fpackage.json", "/assets/%2e%2e%2findex.html"],
    ...["//etc/passwd", "/assets//etc/passwd", "/assets/%00", "/assets/%", "/%2e%2e/%2e%2e/etc/passwd"],
    ...["//v1/status", "/v1//status", "/assets/.npmrc"],
  ])("is no part of the page: %s", async (path) => {
    expect([400, 403, 404]).toContain((await ask("GET", path)).status);
  });
});

test("nothing is changed by a GET", async () => {
  const { paths } = (await server.get("/openapi.json")).body as { paths: Record<string, object> };
  const changing = Object.entries(paths).flatMap(([path, methods]) => ("get" in methods ? [] : [path]));
  expect(changing).toEqual(
    expect.arrayContaining(["/index", "/index-dir", "/v1/documents", "/v1/models/pull"]),
  );
  for (const path of changing) expect(await ask("GET", path)).toMatchObject({ status: 404 });
  const before = (await server.get("/v1/config")).body;
  expect(await ask("GET", "/v1/config?mode=raw&model=other")).toMatchObject({ status: 200 });
  expect((await server.get("/v1/config")).body).toEqual(before);
});
