/** An OpenAI-compatible engine that writes what a check wants, as fast as it wants, and counts who hung up. */
import { createServer } from "node:http";

const MODEL = "qwen2.5-coder:1.5b-base";

/** @returns its address for `OPENAI_BASE_URL`, and what it is told to write */
export async function startFakeEngine() {
  let text = "";
  let others = [];
  let pauseMs = 0;
  let calls = 0;
  let cancelled = 0;
  let writing = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: MODEL }] }));
    const parts = [];
    for await (const part of request) parts.push(part);
    const { prompt, seed = 0 } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    calls++;
    writing++;
    response.once("close", () => writing--);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (choice) => response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    for (const piece of restOf(others[seed - 1] ?? text, prompt).match(/\w+|\W+/g) ?? []) {
      await new Promise((done) => setTimeout(done, pauseMs));
      if (response.destroyed) {
        cancelled++;
        return;
      }
      send({ text: piece });
    }
    send({ text: "", finish_reason: "stop" });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /**
     * @param whole text that stands around the cursor: what of it is typed already is not written again
     * @param alternatives likewise, for the first and second alternative
     */
    writes(whole, { pieceMs = 0, alternatives = [] } = {}) {
      text = whole;
      others = alternatives;
      pauseMs = pieceMs;
    },
    calls: () => calls,
    /** Calls that go on. */
    writing: () => writing,
    /** Calls that the server ended before they had written everything. */
    cancelled: () => cancelled,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** @returns what is left of `whole` after the beginning of it that the prompt's prefix ends with */
function restOf(whole, prompt) {
  const [, prefix = prompt] = /<\|fim_prefix\|>([\s\S]*)<\|fim_suffix\|>/.exec(prompt) ?? [];
  for (let n = whole.length; n > 0; n--) if (prefix.endsWith(whole.slice(0, n))) return whole.slice(n);
  return "";
}
