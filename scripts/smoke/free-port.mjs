import { createServer } from "node:net";

/** A port of 127.0.0.1 on which nothing listens right now. */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
