import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { startCountingProxy } from "./counting-proxy.ts";

const collections = "/api/v2/tenants/t/databases/d/collections";

test("passes requests on, bodies and status codes included, and counts them by what they do", async () => {
  await using chroma = await startFakeServer((request, response) => {
    response.writeHead(request.path.endsWith("/add") ? 201 : 200).end(JSON.stringify(request.body ?? null));
  });
  const proxy = await startCountingProxy(Number(new URL(chroma.url).port));
  const url = `http://127.0.0.1:${proxy.port}`;
  try {
    const before = proxy.lastSeen();
    const added = await fetch(`${url}${collections}/id/add`, { method: "POST", body: '{"ids":["a"]}' });
    expect([added.status, await added.json()]).toEqual([201, { ids: ["a"] }]);
    for (const path of [`${collections}/id/count`, `${collections}/id/count`, "/api/v2/heartbeat"])
      await fetch(url + path);
    await fetch(url + collections, { method: "POST", body: "{}" });
    expect(proxy.counts()).toEqual({ add: 1, count: 2, heartbeat: 1, "post collection": 1 });
    expect(proxy.lastSeen()).toBeGreaterThan(before);
  } finally {
    await proxy.close();
  }
});

test("a Chroma that is down is a broken connection, as it would be without the proxy", async () => {
  const chroma = await startFakeServer(() => {});
  await chroma[Symbol.asyncDispose]();
  const proxy = await startCountingProxy(Number(new URL(chroma.url).port));
  await expect(fetch(`http://127.0.0.1:${proxy.port}/api/v2/heartbeat`)).rejects.toThrow();
  await proxy.close();
});
