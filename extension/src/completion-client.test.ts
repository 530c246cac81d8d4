import type { FimPiece } from "@dhi/core/protocol";
import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { fetchCompletion } from "./completion-client.ts";
import { ServerRefused, ServerUnreachable } from "./server.ts";
import { done, sendEvent, sendJson } from "./testing/answers.ts";

const never = new AbortController().signal;
const request = { path: "a.py", prefix: "x" };

const fetchFrom = (server: { readonly url: string }, signal = never, pieces: FimPiece[] = []) =>
  fetchCompletion({ url: server.url, token: "" }, request, (piece) => pieces.push(piece), signal);

test("reads a stream that arrives cut anywhere, until its last event", async () => {
  const bytes = Buffer.from(
    `: hello\r\n\r\ndata: {"preview":"nu","confidence":0.9}\n\ndata: {"text":"né"}\r\n\r\ndata:{"text":"e"}\n\ndata: ${JSON.stringify(done("née"))}\n\n`,
  );
  await using server = await startFakeServer(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const byte of bytes) await new Promise((sent) => response.write(Buffer.of(byte), sent));
    // Left open: after the last event nothing more is waited for, and the signal closes it.
  });
  const pieces: FimPiece[] = [];
  const cancelling = new AbortController();
  expect(await fetchFrom(server, cancelling.signal, pieces)).toEqual(done("née"));
  expect(pieces).toEqual([{ preview: "nu", confidence: 0.9 }, { text: "né" }, { text: "e" }]);
  cancelling.abort();
  await server.closed(0);
});

test("sends the token", async () => {
  let authorization: string | undefined;
  await using server = await startFakeServer((_, response) => {
    authorization = response.req.headers.authorization;
    sendEvent(response, done("x"));
    response.end();
  });
  await fetchCompletion({ url: server.url, token: "abcdefgh" }, request, () => {}, never);
  expect(authorization).toBe("Bearer abcdefgh");
});

test("quotes the server's own words when it refuses", async () => {
  await using server = await startFakeServer((_, response) =>
    sendJson(
      response,
      { error: { code: "upstream", message: "model 'x' not found", hint: "ollama pull x" } },
      502,
    ),
  );
  await expect(fetchFrom(server)).rejects.toEqual(
    new ServerRefused(502, "model 'x' not found", "ollama pull x"),
  );
});

test("a server that wants a token is told with the setting for it", async () => {
  await using server = await startFakeServer((_, response) =>
    sendJson(response, { error: { code: "x", message: "no token", hint: "Send Authorization" } }, 401),
  );
  await expect(fetchFrom(server)).rejects.toEqual(
    new ServerRefused(401, "no token", "Set dhi.token to the server's DHI_TOKEN."),
  );
});

test("quotes an error that comes after the first text", async () => {
  await using server = await startFakeServer((_, response) => {
    sendEvent(response, { text: "to" });
    sendEvent(response, { error: { code: "upstream", message: "the runner died" } });
    response.end();
  });
  await expect(fetchFrom(server)).rejects.toEqual(new ServerRefused(200, "the runner died"));
});

test("says so when something else listens at the address", async () => {
  await using server = await startFakeServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<h1>It works!</h1>");
  });
  await expect(fetchFrom(server)).rejects.toMatchObject({
    message: `${server.url} does not speak Dhi's protocol`,
    hint: "Check dhi.serverUrl.",
  });
});

test.each(["{not json", '{"done":true}', "null", '{"text":7}', '{"error":"boom"}'])(
  "%s in the stream is no answer, and of another protocol",
  async (data) => {
    await using server = await startFakeServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${data}\n\n`);
    });
    await expect(fetchFrom(server)).rejects.toMatchObject({
      message: `${server.url} does not speak Dhi's protocol`,
    });
  },
);

test("a connection that breaks off is an unreachable server", async () => {
  await using server = await startFakeServer((_, response) => {
    sendEvent(response, { text: "to" });
    response.destroy();
  });
  await expect(fetchFrom(server)).rejects.toBeInstanceOf(ServerUnreachable);
});

test("throws the signal's reason when cancelled in mid-stream", async () => {
  await using server = await startFakeServer((_, response) => sendEvent(response, { text: "to" }));
  const cancelling = new AbortController();
  const answer = fetchFrom(server, cancelling.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  cancelling.abort(new Error("typed on"));
  await expect(answer).rejects.toThrow("typed on");
  await server.closed(0);
});

test("code is not sent on to where another program at the address points", async () => {
  await using elsewhere = await startFakeServer((_, response) => sendJson(response, {}));
  await using server = await startFakeServer((_, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/fim` });
    response.end();
  });
  await expect(fetchFrom(server)).rejects.toEqual(new ServerRefused(307, "307 Temporary Redirect"));
  expect(elsewhere.requests).toEqual([]);
});
