/** A local HTTP server that fails, stalls or answers on command, for what can't be had or must break at the right moment. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON, or `undefined` when there is none. */
  readonly body: unknown;
}

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly FakeRequest[];
  /** Of the n-th request (from 0). */
  headers(n: number): IncomingHttpHeaders;
  /** Settles when the client of the n-th request (from 0) has hung up. */
  closed(n: number): Promise<void>;
}

export async function startFakeServer(
  answer: (request: FakeRequest, response: ServerResponse) => void | Promise<void>,
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const hangUps: Promise<void>[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    hangUps.push(new Promise((done) => response.on("close", done)));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const fake = {
      method: request.method ?? "",
      path: request.url ?? "",
      body: text ? JSON.parse(text) : undefined,
    };
    requests.push(fake);
    headers.push(request.headers);
    await answer(fake, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers: (n) => headers[n] ?? {},
    closed: async (n) => hangUps[n] ?? Promise.reject(new Error(`request ${n} never came`)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A port on which nothing listens right now. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
