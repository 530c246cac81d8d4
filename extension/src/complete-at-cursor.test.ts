import type { Suggestion } from "@dhi/client/completion-flow";
import { fakeCompletions } from "@dhi/client/testing/fake-completions";
import { endOf, lineDocument } from "@dhi/client/testing/line-document";
import { atCursor } from "@dhi/core/testing/at-cursor";
import { closedPort, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type CompletionDeps,
  type Cursor,
  createCompleteAtCursor,
  type Outcome,
} from "./complete-at-cursor.ts";
import { fetchCompletion } from "./completion-client.ts";
import { NO_PAUSE } from "./control/gate.ts";
import type { Settings } from "./settings.ts";
import { answering, done, sendEvent } from "./testing/answers.ts";
import { defaultSettings } from "./testing/settings.ts";

const never = new AbortController().signal;

function setUp(
  server: Pick<FakeServer, "url">,
  changed: Partial<Settings> = {},
  deps: Partial<CompletionDeps> = {},
) {
  const outcomes: Outcome[] = [];
  const silences: (string | undefined)[] = [];
  const grown: boolean[] = [];
  let loading = 0;
  const completer = createCompleteAtCursor({
    fetchCompletion,
    server: () => ({ url: server.url, token: "" }),
    sessionId: "window",
    pause: () => NO_PAUSE,
    hints: () => ({}),
    onLoading: (change) => {
      loading += change;
    },
    onOutcome: (outcome) => outcomes.push(outcome),
    onNoRequest: (silence) => silences.push(silence),
    onGrown: (isWhole) => grown.push(isWhole),
    ...deps,
  });
  const settings = defaultSettings({ debounceMs: 0, maxTokens: 64, ...changed });
  const suggest = (source: string, signal = never, cursor: Partial<Cursor> = {}) =>
    completer.complete(cursorAt(source, cursor), settings, signal);
  let typing = new AbortController();
  return {
    ...{ outcomes, silences, grown, completer, suggest },
    loading: () => loading,
    at: async (source: string, signal = never, cursor: Partial<Cursor> = {}) =>
      textOf(await suggest(source, signal, cursor)),
    /** As VS Code asks: what it asked before is cancelled. */
    type(source: string) {
      typing.abort();
      typing = new AbortController();
      return suggest(source, typing.signal).then(textOf);
    },
  };
}

const textOf = (suggestion: Suggestion | undefined) => suggestion?.text;

function cursorAt(source: string, changed: Partial<Cursor> = {}): Cursor {
  const { prefix, suffix } = atCursor(source);
  return {
    document: lineDocument(prefix + suffix),
    located: { path: "src/a.py" },
    at: endOf(prefix),
    trigger: "automatic",
    ...changed,
  };
}

const prefixesOf = (server: FakeServer) =>
  server.requests.map(({ body }) => (body as { prefix: string }).prefix);

test("asks for the code around the cursor and returns what the server says to show", async () => {
  await using server = await startFakeServer(answering("total(lines)"));
  const editor = setUp(server, {}, { hints: () => ({ openFiles: ["src/b.py"] }) });
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
        preview: true,
        ahead: true,
        openFiles: ["src/b.py"],
      },
    },
  ]);
  await expect.poll(() => editor.loading()).toBe(0);
});

test("passes on what the settings say about length", async () => {
  await using server = await startFakeServer(answering("x"));
  await setUp(server, { maxLines: 3, commentsAndStrings: "singleLine" }).at("# one █");
  expect(server.requests).toMatchObject([{ body: { maxLines: 3, singleLine: true } }]);
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
      { excludeGlobs: [] },
      { located: { path: "deploy/.env.local" } },
      ["this file may hold secrets"],
    ],
    [
      "for a file that the user excludes",
      { excludeGlobs: ["src/**"] },
      {},
      ["src/** in dhi.excludeGlobs excludes this file"],
    ],
    ["while suggestions come on demand only", { trigger: "manual" }, {}, []],
    [
      "in a comment, when those are off",
      { commentsAndStrings: "off" },
      {},
      ["off in comments (dhi.commentsAndStrings)"],
    ],
  ])("%s", async (_, settings, cursor, silences) => {
    await using server = await startFakeServer(answering("x"));
    const editor = setUp(server, settings);
    expect(await editor.at("a = 1  # █", never, cursor)).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(editor.silences).toEqual(silences);
  });

  test("while snoozed", async () => {
    await using server = await startFakeServer(answering("x"));
    const pause = { ...NO_PAUSE, snoozedUntil: Date.now() + 60_000 };
    await setUp(server, {}, { pause: () => pause }).at("a = █");
    expect(server.requests).toEqual([]);
  });

  test("when typing goes on within the debounce, except for the last keystroke", async () => {
    await using server = await startFakeServer(answering("x"));
    const editor = setUp(server, { debounceMs: 30 });
    const earlier = editor.type("a█");
    expect(await Promise.all([earlier, editor.type("ab█")])).toEqual([undefined, "x"]);
    expect(prefixesOf(server)).toEqual(["ab"]);
  });

  test("when the user types what was suggested, deletes it again, and accepts it word by word", async () => {
    await using server = await startFakeServer(answering("total(lines)\nreturn x"));
    const editor = setUp(server);
    await editor.type("x = █");
    const cursors = ["x = to█", "x = t█", "x = █", "x = total█", "x = total(lines)█", "x = total(lines)\n█"];
    const texts: unknown[] = [];
    for (const cursor of cursors) texts.push(await editor.type(cursor));
    expect(texts).toEqual([
      "tal(lines)\nreturn x",
      "otal(lines)\nreturn x",
      "total(lines)\nreturn x",
      "(lines)\nreturn x",
      "\nreturn x",
      "return x",
    ]);
    expect([server.requests.length, editor.silences]).toEqual([1, cursors.map(() => undefined)]);
  });

  test("when an opening bracket brings its partner: that is replaced", async () => {
    await using server = await startFakeServer(answering("total(lines) + 1"));
    const editor = setUp(server);
    await editor.type("x = █");
    expect(await editor.suggest("x = total(█)")).toMatchObject({ text: "lines) + 1", replaces: 1 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("the debounce", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** @returns the prefixes that the server was asked about after so long */
  async function askedAfter(ms: number, editor: ReturnType<typeof typist>, source: string, cursor = {}) {
    const before = editor.server.requests.length;
    void editor.at(source, never, cursor);
    await vi.advanceTimersByTimeAsync(ms);
    return editor.server.requests.slice(before).map(({ request }) => request.prefix);
  }

  function typist() {
    const server = fakeCompletions();
    const fetchCompletion: CompletionDeps["fetchCompletion"] = (_, ...request) => server.fetch(...request);
    return { ...setUp({ url: "" }, { debounceMs: null }, { fetchCompletion }), server };
  }

  test("is waited for in code", async () => {
    const editor = typist();
    expect([await askedAfter(74, editor, "a = █"), await askedAfter(75, editor, "b = █")]).toEqual([
      [],
      ["a = ", "b = "],
    ]);
  });

  test.each<[string, string, Partial<Cursor>]>([
    ["when the user asks by hand", "a = █", { trigger: "manual" }],
    ["in a line that was just begun", "def f():\n    █\n", {}],
  ])("is none %s", async (_, source, cursor) => {
    expect(await askedAfter(0, typist(), source, cursor)).toHaveLength(1);
  });

  test("is none after a suggestion was accepted, until the next key", async () => {
    const editor = typist();
    editor.completer.pace.accepted();
    expect(await askedAfter(0, editor, "a█")).toEqual(["a"]);
    editor.completer.pace.typed(performance.now());
    expect(await askedAfter(0, editor, "b█")).toEqual([]);
  });

  test("ends in nothing when the document has changed by then", async () => {
    const editor = typist();
    const document = { ...lineDocument("a = "), version: 1 };
    const answer = editor.at("a = █", never, { document });
    document.version = 2;
    await vi.advanceTimersByTimeAsync(75);
    expect([await answer, editor.server.requests]).toEqual([undefined, []]);
  });

  test("is as long as the server wants", async () => {
    const editor = typist();
    await askedAfter(75, editor, "a█");
    editor.server.requests[0]?.finish("x", "ok", { debounceMs: 400 });
    await vi.advanceTimersByTimeAsync(0);
    expect([await askedAfter(399, editor, "b█"), await askedAfter(1, editor, "b█")]).toEqual([[], ["b"]]);
  });
});

describe("the stream", () => {
  test("shows a line as soon as it is there, and the next when asked again", async () => {
    let finish = () => {};
    await using server = await startFakeServer((_, response) => {
      sendEvent(response, { text: "a()" });
      finish = () => {
        sendEvent(response, { text: "\nb()" });
        sendEvent(response, done("a()\nb()"));
        response.end();
      };
    });
    const editor = setUp(server);
    expect(await editor.type("█")).toBe("a()");
    finish();
    await expect.poll(() => editor.grown).toEqual([false, true]);
    expect([await editor.type("█"), await editor.type("a()\n█"), server.requests.length]).toEqual([
      "a()\nb()",
      "b()",
      1,
    ]);
  });

  test("is closed when the request is cancelled and no other follows", async () => {
    await using server = await startFakeServer(() => {});
    const editor = setUp(server);
    const typing = new AbortController();
    const answer = editor.at("x = █", typing.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    typing.abort();
    expect(await answer).toBeUndefined();
    await server.closed(0);
    await expect.poll(() => editor.loading()).toBe(0);
    expect(editor.outcomes).toEqual([]);
  });

  test("is left to the server when the next keystroke may want the same", async () => {
    await using server = await startFakeServer((request, response) => {
      if ((request.body as { prefix: string }).prefix === "x = t") answering("otal")(request, response);
    });
    const editor = setUp(server);
    void editor.type("x = █");
    await expect.poll(() => server.requests.length).toBe(1);
    expect(await editor.type("x = t█")).toBe("otal");
    await server.closed(0);
    expect(prefixesOf(server)).toEqual(["x = ", "x = t"]);
  });
});

test("passes on why there is no suggestion", async () => {
  await using server = await startFakeServer(answering("", "low-confidence"));
  const editor = setUp(server);
  expect(await editor.at("x = █")).toBeUndefined();
  expect(editor.outcomes).toMatchObject([{ kind: "answered", answer: { reason: "low-confidence" } }]);
});

test("shows nothing and says so when the server is not there", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const editor = setUp({ url });
  expect(await editor.at("x = █")).toBeUndefined();
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
  expect(await editor.at("x = █")).toBeUndefined();
  expect(editor.outcomes).toEqual([]);
});
