/** An Ollama that holds models and runs none: what it says of them is what the Models view is about. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What it can fetch, in so many steps that the page shows some of them. */
export const FETCHED = { name: "new-coder:3b", size: 2_000_000_000, capabilities: ["completion", "insert"] };
const STEPS = 8;
const STEP_MS = 250;

export const MODELS = [
  { name: "qwen2.5-coder:1.5b-base", size: 986_000_000, capabilities: ["completion", "insert"] },
  { name: "giant-coder:400b", size: 4_000_000_000_000, capabilities: ["completion", "insert"] },
  { name: "chatty:1b", size: 700_000_000, capabilities: ["completion"] },
];

export async function startModelShelf() {
  const shelf = [...MODELS];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = parts.length ? JSON.parse(Buffer.concat(parts).toString("utf8")) : {};
    if (request.url === "/api/pull") return pull(response, shelf);
    const answer = answerTo(request.url, body, shelf);
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

async function pull(response, shelf) {
  const tell = (line) => response.write(`${JSON.stringify(line)}\n`);
  tell({ status: "pulling manifest" });
  for (let step = 0; step <= STEPS; step++) {
    const completed = (FETCHED.size * step) / STEPS;
    tell({ status: "pulling 1a2b3c", digest: "sha256:1a2b3c", total: FETCHED.size, completed });
    await sleep(STEP_MS);
  }
  shelf.push(FETCHED);
  tell({ status: "success" });
  response.end();
}

function answerTo(url, { model }, shelf) {
  if (url === "/api/version") return { version: "0.13.0" };
  if (url === "/api/ps") return { models: [] };
  if (url === "/api/tags")
    return {
      models: shelf.map(({ name, size }) => ({ name, model: name, size, digest: name, details: {} })),
    };
  const found = shelf.find(({ name }) => name === model);
  return url === "/api/show" && found
    ? { template: "", capabilities: found.capabilities, model_info: {}, details: {} }
    : undefined;
}
