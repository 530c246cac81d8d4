/** Stands between the indexer and Chroma and counts what the indexer asks for. */
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly port: number;
  /** Requests since the start by what they do: `add`, `delete`, `update`, `count`, `query`, `get`, … */
  counts(): Readonly<Record<string, number>>;
  /** When the last request came or ended, as `performance.now()` tells it. */
  lastSeen(): number;
  close(): Promise<void>;
}

/** @param chromaPort where Chroma listens on 127.0.0.1; it need not yet */
export async function startCountingProxy(chromaPort: number): Promise<CountingProxy> {
  const counts: Record<string, number> = {};
  let lastSeen = performance.now();
  const server = createServer((request, response) => {
    const operation = operationOf(request.method ?? "", request.url ?? "");
    counts[operation] = (counts[operation] ?? 0) + 1;
    lastSeen = performance.now();
    const onward = ask(
      {
        host: "127.0.0.1",
        port: chromaPort,
        method: request.method,
        path: request.url,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => {
      lastSeen = performance.now();
      onward.destroy();
    });
    request.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    counts: () => ({ ...counts }),
    lastSeen: () => lastSeen,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** `/api/v2/tenants/t/databases/d/collections/<id>/add` → `add`; what has no verb of its own is named after its method. */
function operationOf(method: string, url: string): string {
  const path = url.replace(/\?.*$/, "");
  const verb = /\/collections\/[^/]+\/(\w+)$/.exec(path)?.[1];
  if (verb) return verb;
  const what = path.split("/").at(-1) ?? "";
  return /\/collections(\/[^/]+)?$/.test(path) ? `${method.toLowerCase()} collection` : what;
}
