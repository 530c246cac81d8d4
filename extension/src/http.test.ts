import { type AddressInfo, createServer, type Socket } from "node:net";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { send } from "./http.ts";

const never = new AbortController().signal;
const get = { method: "GET", headers: {} };

test("sends method, path, headers and body, and gives the answer", async () => {
  await using server = await startFakeServer((_, response) => {
    response.writeHead(201, "Made", { "content-type": "text/plain" });
    response.end("né");
  });
  const headers = { "content-type": "application/json", authorization: "Bearer abc" };
  const answer = await send(`${server.url}/a?b=c`, { method: "PUT", headers, body: '{"x":"né"}' }, never);
  expect(server.requests).toEqual([{ method: "PUT", path: "/a?b=c", body: { x: "né" } }]);
  expect(server.headers(0)).toMatchObject(headers);
  expect([answer.status, answer.statusText, answer.contentType, await answer.text()]).toEqual([
    201,
    "Made",
    "text/plain",
    "né",
  ]);
});

test("uses one connection again, also when an answer was not read to its end", async () => {
  const ports = new Set<number | undefined>();
  await using server = await startFakeServer((_, response) => {
    ports.add(response.req.socket.remotePort);
    response.write("first");
    response.end("rest");
  });
  for (const _ of "abc") {
    const { body } = await send(server.url, get, never);
    for await (const _ of body) break;
    await new Promise((turn) => setTimeout(turn, 20));
  }
  expect(ports.size).toBe(1);
});

test("asks once more when the server has closed the connection that is to be used again", async () => {
  let answered = 0;
  await using server = await startServer((socket) => {
    socket.on("data", () => {
      if (answered++ === 1) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
  });
  expect(await (await send(server.url, get, never)).text()).toBe("ok");
  await new Promise((turn) => setTimeout(turn, 20));
  expect(await (await send(server.url, get, never)).text()).toBe("ok");
  expect(answered).toBe(3);
});

test("asks again until a connection is new when all that were open are closed, as by a server started anew", async () => {
  let isRestarting = false;
  const sockets = new Set<Socket>();
  await using server = await startServer((socket) => {
    socket.on("data", () => {
      if (isRestarting && sockets.has(socket)) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      sockets.add(socket);
    });
  });
  const ask = async () => (await send(server.url, get, never)).text();
  await Promise.all([ask(), ask(), ask()]);
  expect(sockets.size).toBe(3);
  await new Promise((turn) => setTimeout(turn, 20));
  isRestarting = true;
  expect(await ask()).toBe("ok");
});

test.each(["127.0.0.1:8000", "localhost:8000", "ftp://127.0.0.1/", ""])(
  "an address that is none (%j) is an error like any other",
  async (url) => {
    const asked = send(url, get, never);
    await expect(asked).rejects.toThrow();
  },
);

test("a first connection that breaks is not tried again", async () => {
  let asked = 0;
  await using server = await startServer((socket) => {
    socket.on("data", () => {
      asked++;
      socket.resetAndDestroy();
    });
  });
  await expect(send(server.url, get, never)).rejects.toThrow("ECONNRESET");
  expect(asked).toBe(1);
});

test("the signal ends a request, an answer, and what comes after it", async () => {
  await using server = await startFakeServer(({ path }, response) => {
    if (path !== "/silent") response.write("first");
  });
  for (const path of ["/silent", "/answer", "/after"]) {
    const cancelling = new AbortController();
    const asked = send(server.url + path, get, cancelling.signal);
    if (path === "/silent") {
      await expect.poll(() => server.requests.length).toBe(1);
      cancelling.abort();
      await expect(asked).rejects.toThrow();
    } else if (path === "/answer") {
      const text = (await asked).text();
      cancelling.abort();
      await expect(text).rejects.toThrow();
    } else {
      for await (const _ of (await asked).body) break;
      cancelling.abort();
    }
    await server.closed(server.requests.length - 1);
  }
});

test("an answer that is not wanted closes its connection", async () => {
  await using server = await startFakeServer((_, response) => void response.write("<html>"));
  (await send(server.url, get, never)).discard();
  await server.closed(0);
});

test.each(["127.0.0.1", "localhost", "[::1]"])("says why nothing answers at %s", async (host) => {
  const refused = send(`http://${host}:${await closedPort()}/`, get, never);
  await expect(refused).rejects.toThrow();
});

/** One that says byte for byte what it is told to. */
async function startServer(onSocket: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    onSocket(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
