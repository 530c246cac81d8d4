import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { createLogger } from "@dhi/core/log";
import { expect, test } from "vitest";
import { createApp } from "./app.ts";
import type { KeptWorkspace } from "./keep-open.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

test("a line that a request of the server causes has the id of the editor's request", async () => {
  const out = new PassThrough();
  const broken = {
    ...{ name: "shop", roots: ["/work/shop"] },
    indexer: () => {
      throw new Error("no room");
    },
  };
  const app = createApp({
    ...{ completing: {} as never, workspaces: [broken as unknown as KeptWorkspace] },
    ...{ guard: { allowedHosts: [] }, log: createLogger("indexer", "info", out) },
  });
  const http = createServer(app);
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const response = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/index`, {
    ...{ method: "POST", headers: { "x-request-id": ID }, body: JSON.stringify({ path: "a.ts" }) },
  });
  http.closeAllConnections();
  http.close();
  expect(response.status).toBe(500);
  expect(JSON.parse(String(out.read()))).toMatchObject({ msg: "no room", requestId: ID });
});
