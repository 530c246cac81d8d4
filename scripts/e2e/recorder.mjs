/** A proxy between the editor and the server, which keeps what the editor asked. */
import { request as ask, createServer } from "node:http";

/**
 * @param target address of the server
 * @returns its own address for the editor, and what was asked since the start
 */
export async function startRecorder(target) {
  const requests = [];
  const delays = [];
  const sockets = new Set();
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = await textOf(incoming);
    requests.push({ method, path: url, body });
    const delay = delays.find(({ pattern }) => pattern.test(url));
    if (delay) await new Promise((done) => setTimeout(done, delay.ms));
    const { host, ...others } = headers;
    const upstream = ask(new URL(url, target), { method, headers: others }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    // A server that has gone is as gone for the editor.
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    upstream.end(body);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** How often something was asked; of `path` only what begins with it. */
    count: (path) => requests.filter((request) => request.path.startsWith(path)).length,
    total: () => requests.length,
    /** Requests whose path or body has `text`. */
    naming: (text) => requests.filter((request) => `${request.path}\n${request.body}`.includes(text)),
    /** The newest body sent to `path`. */
    last(path) {
      const found = requests.findLast((request) => request.path === path);
      return found && JSON.parse(found.body);
    },
    /** Holds answers back, so that what shows meanwhile can be looked at. @returns ends that */
    delay(pattern, ms) {
      const delay = { pattern, ms };
      delays.push(delay);
      return () => delays.splice(delays.indexOf(delay), 1);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function textOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
