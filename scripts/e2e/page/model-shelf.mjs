/** An Ollama that holds models and runs none: what it says of them is what the Models view is about. */
import { createServer } from "node:http";

export const MODELS = [
  { name: "qwen2.5-coder:1.5b-base", size: 986_000_000, capabilities: ["completion", "insert"] },
  { name: "giant-coder:400b", size: 4_000_000_000_000, capabilities: ["completion", "insert"] },
  { name: "chatty:1b", size: 700_000_000, capabilities: ["completion"] },
];

export async function startModelShelf() {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const answer = answerTo(
      request.url,
      parts.length ? JSON.parse(Buffer.concat(parts).toString("utf8")) : {},
    );
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: "no such model" }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answerTo(url, { model }) {
  if (url === "/api/version") return { version: "0.13.0" };
  if (url === "/api/ps") return { models: [] };
  if (url === "/api/tags")
    return {
      models: MODELS.map(({ name, size }) => ({ name, model: name, size, digest: name, details: {} })),
    };
  const found = MODELS.find(({ name }) => name === model);
  return url === "/api/show" && found
    ? { template: "", capabilities: found.capabilities, model_info: {}, details: {} }
    : undefined;
}
