import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createApp } from "./app.ts";
import { createCompleting } from "./completing.ts";

test("a completion runs from the time the server says so until it has not for a while", async () => {
  const completing = createCompleting(1_000);
  const app = createApp({ completing, workspaces: [], guard: { allowedHosts: [] }, log: { error() {} } });
  const http = createServer(app).listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  expect(completing.isRunning()).toBe(false);
  expect((await fetch(`${url}/busy`, { method: "POST" })).status).toBe(200);
  expect(completing.isRunning()).toBe(true);
  await expect.poll(completing.isRunning, { timeout: 5_000 }).toBe(false);
  http.closeAllConnections();
  await new Promise((done) => http.close(done));
});
