import { atCursor } from "@dhi/core/testing/at-cursor";
import { closedPort, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { describe, expect, test } from "vitest";
import { type Cursor, createCompleteAtCursor, type Outcome } from "./complete-at-cursor.ts";
import { fetchCompletion } from "./completion-client.ts";
import type { Settings } from "./settings.ts";
import { answering, done, sendEvent } from "./testing/answers.ts";
import { textDocument } from "./testing/text-document.ts";

const never = new AbortController().signal;

function setUp(server: Pick<FakeServer, "url">, changed: Partial<Settings> = {}) {
  const outcomes: Outcome[] = [];
  const silences: (string | undefined)[] = [];
  let loading = 0;
  const complete = createCompleteAtCursor({
    fetchCompletion,
    sessionId: "window",
    onLoading: (change) => {
      loading += change;
    },
    onOutcome: (outcome) => outcomes.push(outcome),
    onNoRequest: (silence) => silences.push(silence),
  });
  const settings = {
    enable: true,
    serverUrl: server.url,
    token: "",
    debounceMs: 0,
    maxTokens: 64,
    ...changed,
  };
  return {
    outcomes,
    silences,
    loading: () => loading,
    at: (source: string, signal = never, cursor: Partial<Cursor> = {}) =>
      complete(cursorAt(source, cursor), settings, signal),
  };
}

function cursorAt(source: string, changed: Partial<Cursor> = {}): Cursor {
  const { prefix, suffix } = atCursor(source);
  return {
    document: textDocument(prefix + suffix),
    located: { path: "src/a.py" },
    at: prefix.length,
    trigger: "automatic",
    ...changed,
  };
}

test("asks for the code around the cursor and returns what the server says to show", async () => {
  await using server = await startFakeServer(answering("total(lines)"));
  const editor = setUp(server);
  expect(await editor.at("x = █\ny = 2\n")).toBe("total(lines)");
  expect(server.requests).toEqual([
    {
      method: "POST",
      path: "/v1/fim",
      body: {
        requestId: "window-1",
        sessionId: "window",
        path: "src/a.py",
        languageId: "python",
        documentVersion: 1,
        prefix: "x = ",
        suffix: "\ny = 2\n",
        trigger: "automatic",
        maxTokens: 64,
      },
    },
  ]);
  expect(editor.loading()).toBe(0);
});

describe("sends nothing", () => {
  test.each<[string, Partial<Settings>, Partial<Cursor>, (string | undefined)[]]>([
    ["when Dhi is off", { enable: false }, {}, []],
    [
      "for a file in no workspace of the server",
      {},
      { located: undefined },
      ["the server does not serve this file's folder"],
    ],
    [
      "for a file that holds secrets",
      {},
      { located: { path: "deploy/.env.local" } },
      ["this file may hold secrets"],
    ],
  ])("%s", async (_, settings, cursor, silences) => {
    await using server = await startFakeServer(answering("x"));
    const editor = setUp(server, settings);
    expect(await editor.at("a = █", never, cursor)).toBe("");
    expect(server.requests).toEqual([]);
    expect(editor.silences).toEqual(silences);
  });

  test("when typing goes on within the debounce, except for the last keystroke", async () => {
    await using server = await startFakeServer(answering("x"));
    const editor = setUp(server, { debounceMs: 30 });
    const first = new AbortController();
    const earlier = editor.at("a█", first.signal);
    first.abort();
    expect(await Promise.all([earlier, editor.at("ab█")])).toEqual(["", "x"]);
    expect(server.requests).toMatchObject([{ body: { prefix: "ab" } }]);
  });

  test("when the user types what was suggested", async () => {
    await using server = await startFakeServer(answering("total(lines)"));
    const editor = setUp(server);
    await editor.at("x = █");
    expect(await editor.at("x = to█")).toBe("tal(lines)");
    expect(server.requests).toHaveLength(1);
    expect(editor.silences).toEqual([undefined]);
  });
});

test("asks at once when the user asked for it", async () => {
  await using server = await startFakeServer(answering("x"));
  const editor = setUp(server, { debounceMs: 60_000 });
  expect(await editor.at("a = █", never, { trigger: "manual" })).toBe("x");
});

test("closes the socket when the request is cancelled, and shows nothing", async () => {
  await using server = await startFakeServer((_, response) => sendEvent(response, { text: "tot" }));
  const editor = setUp(server);
  const typing = new AbortController();
  const answer = editor.at("x = █", typing.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  typing.abort();
  expect(await answer).toBe("");
  await server.closed(0);
  expect([editor.outcomes, editor.loading()]).toEqual([[], 0]);
});

test("drops an answer that comes in the moment it is cancelled", async () => {
  const typing = new AbortController();
  const outcomes: Outcome[] = [];
  const complete = createCompleteAtCursor({
    // A transport that has the whole answer already when the cancellation arrives.
    fetchCompletion: async () => {
      typing.abort();
      return done("late");
    },
    sessionId: "window",
    onLoading: () => {},
    onOutcome: (outcome) => outcomes.push(outcome),
    onNoRequest: () => {},
  });
  const settings = { enable: true, serverUrl: "", token: "", debounceMs: 0, maxTokens: 64 };
  expect(await complete(cursorAt("x = █"), settings, typing.signal)).toBe("");
  expect(outcomes).toEqual([]);
});

test("passes on why there is no suggestion", async () => {
  await using server = await startFakeServer(answering("", "low-confidence"));
  const editor = setUp(server);
  expect(await editor.at("x = █")).toBe("");
  expect(editor.outcomes).toMatchObject([{ kind: "answered", answer: { reason: "low-confidence" } }]);
});

test("shows nothing and says so when the server is not there", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const editor = setUp({ url });
  expect(await editor.at("x = █")).toBe("");
  expect(editor.outcomes).toMatchObject([
    {
      kind: "failed",
      error: { message: expect.stringContaining(`server unreachable at ${url}: connect ECONNREFUSED`) },
    },
  ]);
});

test("is silent about a request that the server ended for a newer one", async () => {
  await using server = await startFakeServer((_, response) => void response.end());
  const editor = setUp(server);
  expect(await editor.at("x = █")).toBe("");
  expect(editor.outcomes).toEqual([]);
});
