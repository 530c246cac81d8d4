import { expect, test } from "vitest";
import { createOllamaEmbedder } from "./ollama-embedder.ts";
import { closedPort, startFakeServer } from "./testing/fake-server.ts";

const never = new AbortController().signal;
const unit = (at: number) => [0, 0, 0].map((_, i) => (i === at ? 1 : 0));

function answering(status: number, body: unknown) {
  return startFakeServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}
const embedder = (host: string, model = "nomic-embed-text") =>
  createOllamaEmbedder({ host, model, keepAlive: "-1" });

test("asks for all texts in one request, each with the document prefix of its model", async () => {
  await using fake = await answering(200, { embeddings: [unit(0), unit(1)] });
  const vectors = await embedder(fake.url).embedDocuments(["a", "b"], never);
  expect(vectors).toEqual([unit(0), unit(1)]);
  expect(fake.requests).toEqual([
    {
      method: "POST",
      path: "/api/embed",
      body: {
        model: "nomic-embed-text",
        input: ["search_document: a", "search_document: b"],
        truncate: true,
        keep_alive: -1,
      },
    },
  ]);
});

test("names the threads when they are set", async () => {
  await using fake = await answering(200, { embeddings: [unit(0)] });
  await createOllamaEmbedder({ host: fake.url, model: "m", keepAlive: "30m", numThread: 2 }).embedQuery(
    "q",
    never,
  );
  expect(fake.requests[0]?.body).toMatchObject({ options: { num_thread: 2 } });
});

test.each([
  ["nomic-embed-text", "search_query: q"],
  ["nomic-embed-text:v1.5", "search_query: q"],
  ["team/nomic-embed-text", "search_query: q"],
  ["all-minilm", "q"],
])("asks %s for a query as %j", async (model, input) => {
  await using fake = await answering(200, { embeddings: [unit(2)] });
  expect(await embedder(fake.url, model).embedQuery("q", never)).toEqual(unit(2));
  expect(fake.requests[0]?.body).toMatchObject({ input: [input] });
});

test("names its model in its id", () => {
  expect(embedder("http://127.0.0.1:1", "all-minilm").id).toBe("ollama:all-minilm");
});

test("does not ask for no texts", async () => {
  expect(await embedder("http://127.0.0.1:1").embedDocuments([], never)).toEqual([]);
});

test.each([
  ["too few vectors", [unit(0)], "1 vectors for 2 texts"],
  ["vectors of two lengths", [[1, 2, 3], [1]], "vectors of 3 and 1 numbers"],
  ["an empty vector", [[], []], "vectors of 0 and 0 numbers"],
  ["a null where a number belongs", [[1, null], unit(1)], "something that is no number"],
  ["a vector of zeros", [unit(0), [0, 0, 0]], "a vector of zeros"],
])("refuses %s", async (_, embeddings, words) => {
  await using fake = await answering(200, { embeddings });
  await expect(embedder(fake.url).embedDocuments(["a", "b"], never)).rejects.toThrow(words);
});

test("quotes Ollama", async () => {
  await using fake = await answering(404, { error: 'model "x" not found, try pulling it first' });
  await expect(embedder(fake.url).embedQuery("q", never)).rejects.toMatchObject({
    name: "UpstreamError",
    message: 'ollama: 404 model "x" not found, try pulling it first',
  });
});

test("says where nobody answers", async () => {
  const host = `http://127.0.0.1:${await closedPort()}`;
  await expect(embedder(host).embedQuery("q", never)).rejects.toThrow(/^ollama: .*ECONNREFUSED.*127/);
});

test("hangs up when the signal fires, with its reason", async () => {
  await using fake = await startFakeServer(() => {});
  const gone = new AbortController();
  const waiting = embedder(fake.url).embedQuery("q", gone.signal);
  waiting.catch(() => {});
  await expect.poll(() => fake.requests.length).toBe(1);
  gone.abort();
  await expect(waiting).rejects.toBe(gone.signal.reason);
  await fake.closed(0);
});
