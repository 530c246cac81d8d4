import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tempDir } from "@dhi/core/testing/temp-repo";
import express, { type NextFunction, type Request, type Response } from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toHttpError } from "./http-error.ts";
import { webPage } from "./web-page.ts";

let home: ReturnType<typeof tempDir>;
let http: Server;
let url: string;

beforeEach(async () => {
  home = tempDir();
  const app = express();
  app.use(webPage(join(home.dir, "page")));
  app.use((_request: Request, response: Response) => void response.status(404).end("none"));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const problem = toHttpError(error);
    response.status(problem?.status ?? 500).json(problem?.body());
  });
  http = createServer(app).listen(0, "127.0.0.1");
  await once(http, "listening");
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(() => {
  http.closeAllConnections();
  http.close();
  home[Symbol.dispose]();
});

function build() {
  const page = join(home.dir, "page");
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(home.dir, "secret.txt"), "secret");
  writeFileSync(join(page, "index.html"), "<!doctype html>the page");
  writeFileSync(join(page, "assets", "main-1.js"), "plain()");
  writeFileSync(join(page, "assets", "main-1.js.gz"), gzipSync("packed()"));
  writeFileSync(join(page, "assets", "icons-2.ttf"), "font");
}

test("the page may run its own scripts only, talk to this server only, and stand in no frame", async () => {
  build();
  const response = await fetch(url);
  expect(await response.text()).toBe("<!doctype html>the page");
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  const policy = response.headers.get("content-security-policy")?.split("; ");
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(response.headers.get("cache-control")).toBe("no-cache");
});

test("a built file is kept for ever, and comes packed for those who can read that", async () => {
  build();
  const packed = await fetch(`${url}/assets/main-1.js`);
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("content-type")).toMatch(/javascript/);
  expect(packed.headers.get("cache-control")).toContain("immutable");
  expect(await packed.text()).toBe("packed()");
  const plain = await fetch(`${url}/assets/main-1.js`, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe("plain()");
  expect((await fetch(`${url}/assets/icons-2.ttf`)).headers.get("content-type")).toBe("font/ttf");
});

test.each(["/assets/other.js", "/assets/..%2F..%2Fsecret.txt", "/assets/%2e%2e/index.html", "/assets/"])(
  "%s is not there, and nobody keeps that answer",
  async (path) => {
    build();
    const response = await fetch(url + path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toMatch(/secret|the page/);
    expect(response.headers.get("cache-control")).toBeNull();
  },
);

test("who leaves in the middle of a file harms nobody", async () => {
  build();
  writeFileSync(join(home.dir, "page", "assets", "large.js"), Buffer.alloc(20_000_000, " "));
  const closed = new Promise<void>((done) => {
    http.once("request", (_, response) => response.once("close", done));
  });
  const request = get(`${url}/assets/large.js`, (response) => response.once("data", () => request.destroy()));
  await closed;
  expect((await fetch(url)).status).toBe(200);
});

test("a page that is not built says how to build it, and shows once it is", async () => {
  const response = await fetch(url);
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      error: expect.objectContaining({ code: "page_not_built", hint: expect.stringContaining("npm start") }),
    },
  ]);
  build();
  expect((await fetch(url)).status).toBe(200);
});
