/**
 * An OpenAI-compatible engine that knows nothing but its prompt: it ends the name that is begun at the cursor with the
 * first one in the prompt that begins so, and calls it. It can be switched off and on.
 */
import { createServer } from "node:http";

const MODEL = "qwen2.5-coder:1.5b-base";

export async function startNameEngine() {
  const sockets = new Set();
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: MODEL }] }));
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = continuation(JSON.parse(Buffer.concat(parts).toString("utf8")).prompt);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of [{ text }, { text: "", finish_reason: "stop" }])
      response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  server.on("connection", (socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  let port = 0;
  const start = async () => {
    await new Promise((done) => server.listen(port, "127.0.0.1", done));
    port = server.address().port;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    start,
    async stop() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function continuation(prompt) {
  const [, prefix = ""] = /<\|fim_prefix\|>([\s\S]*)<\|fim_suffix\|>/.exec(prompt) ?? [];
  const [begun] = /\w+$/.exec(prefix) ?? [""];
  if (begun.length < 2) return "";
  const name = prompt.match(/\w+/g).find((word) => word.startsWith(begun) && word !== begun);
  return name ? `${name.slice(begun.length)}(cart.lines, cart.tax_rate)` : "_unknown(cart)";
}
