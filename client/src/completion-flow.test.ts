import { atCursor } from "@dhi/core/testing/at-cursor";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CallEnd } from "./completion-calls.ts";
import { type Asked, createCompletionFlow, type Suggestion } from "./completion-flow.ts";
import { fakeCompletions } from "./testing/fake-completions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

/** An editor that asks at each keystroke, and cancels what it asked before. */
function setUp() {
  const server = fakeCompletions();
  const ends: CallEnd[] = [];
  let loading = 0;
  const grown: boolean[] = [];
  const heard: number[] = [];
  const flow = createCompletionFlow({
    fetch: server.fetch,
    onEnd: (end) => ends.push(end),
    onLoading: (change) => (loading += change),
    onGrown: (isWhole) => grown.push(isWhole),
    onHeard: (ms) => heard.push(ms),
    now: () => performance.now(),
  });
  let typing = new AbortController();
  const ask = (source: string, changed: Partial<Asked> = {}, signal = never) => {
    const { prefix, suffix } = atCursor(source);
    const place = { scope: "a.ts", prefix, suffix };
    const request = () => ({ path: "a.ts", prefix, suffix });
    return flow.complete({ ...place, debounceMs: 0, isManual: false, request, ...changed }, signal);
  };
  return {
    server,
    flow,
    ends,
    heard,
    loading: () => loading,
    grown,
    ask,
    /** @returns what the keystroke brings: text, or nothing */
    type(source: string, changed: Partial<Asked> = {}) {
      typing.abort();
      typing = new AbortController();
      return ask(source, changed, typing.signal).then(shown);
    },
    cancel: () => typing.abort(),
    prefixes: () => server.requests.map(({ request }) => request.prefix),
  };
}

const shown = (suggestion: Suggestion | undefined) => suggestion?.text;
/** Lets everything run that waits for no timer. */
const turn = () => vi.advanceTimersByTimeAsync(0);

test("asks once and returns the answer, with the request that it is of", async () => {
  const { ask, server, ends, loading } = setUp();
  const answer = ask("x = █;");
  await turn();
  expect(loading()).toBe(1);
  server.requests[0]?.finish("total");
  expect(await answer).toMatchObject({
    text: "total",
    replaces: 0,
    request: { prefix: "x = " },
    answer: { completion: "total" },
  });
  expect([ends.length, loading()]).toEqual([1, 0]);
});

describe("the debounce", () => {
  test("holds a request back until typing pauses", async () => {
    const { type, prefixes } = setUp();
    void type("t█", { debounceMs: 50 });
    await vi.advanceTimersByTimeAsync(40);
    void type("to█", { debounceMs: 50 });
    await vi.advanceTimersByTimeAsync(40);
    expect(prefixes()).toEqual([]);
    await vi.advanceTimersByTimeAsync(10);
    expect(prefixes()).toEqual(["to"]);
  });

  test("is not waited for when the answer is known", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.finish("total(a)");
    await first;
    expect(await type("x = to█", { debounceMs: 60_000 })).toBe("tal(a)");
    expect(prefixes()).toHaveLength(1);
  });
});

test("nothing is sent, and nothing shown, when there is nothing to ask by then", async () => {
  const { ask, server, loading } = setUp();
  const answer = ask("x = █", { debounceMs: 50, request: () => undefined });
  await vi.advanceTimersByTimeAsync(50);
  expect([await answer, server.requests, loading()]).toEqual([undefined, [], 0]);
});

describe("while a request is live", () => {
  test("a keystroke that may agree sends a newer one, and leaves the older one to the server", async () => {
    const { type, server, prefixes } = setUp();
    void type("x = █");
    await turn();
    const second = type("x = t█");
    await turn();
    expect([prefixes(), server.requests[0]?.isAborted()]).toEqual([["x = ", "x = t"], false]);
    server.requests[0]?.supersede();
    server.requests[1]?.finish("otal");
    expect(await second).toBe("otal");
  });

  test("a keystroke that agrees with the text so far sends nothing, and is answered at once", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.say("total(");
    expect([await first, await type("x = t█"), prefixes()]).toEqual(["total(", "otal(", ["x = "]]);
    expect(server.requests[0]?.isAborted()).toBe(false);
  });

  test("a keystroke that differs from the text so far ends it at once", async () => {
    const { type, server, prefixes } = setUp();
    void type("x = █");
    await turn();
    server.requests[0]?.say("tot");
    const second = type("x = s█");
    expect(server.requests[0]?.isAborted()).toBe(true);
    await turn();
    server.requests[1]?.finish("um");
    expect([await second, prefixes()]).toEqual(["um", ["x = ", "x = s"]]);
  });

  test("the older one is ended when the newer one is heard of", async () => {
    const { type, server } = setUp();
    void type("x = █");
    await turn();
    const second = type("x = s█");
    await turn();
    expect(server.requests[0]?.isAborted()).toBe(false);
    server.requests[1]?.say("orted");
    expect([await second, server.requests[0]?.isAborted()]).toEqual(["orted", true]);
  });

  test("what it says while the next keystroke waits is the answer", async () => {
    const { type, server, prefixes } = setUp();
    void type("x = █");
    await turn();
    const second = type("x = s█", { debounceMs: 50 });
    server.requests[0]?.finish("sorted");
    await vi.advanceTimersByTimeAsync(50);
    expect([await second, prefixes()]).toEqual(["orted", ["x = "]]);
  });

  test("it is ended before the request of a keystroke that it turned out to differ from", async () => {
    const { type, server } = setUp();
    void type("x = █");
    await turn();
    void type("x = s█", { debounceMs: 50 });
    server.requests[0]?.say("total");
    await vi.advanceTimersByTimeAsync(50);
    expect([server.requests[0]?.isAborted(), server.requests.length]).toEqual([true, 2]);
  });

  test("a cursor in another file ends it at once", async () => {
    const { type, server } = setUp();
    void type("x = █");
    await turn();
    void type("x = █", { scope: "b.ts" });
    expect(server.requests[0]?.isAborted()).toBe(true);
  });
});

describe("cancelled by the editor", () => {
  test("nothing is shown, and the stream is closed when nobody asks again", async () => {
    const { type, cancel, server, loading, ends } = setUp();
    const answer = type("x = █");
    await turn();
    cancel();
    expect(await answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(249);
    expect(server.requests[0]?.isAborted()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([server.requests[0]?.isAborted(), loading(), ends]).toEqual([true, 0, []]);
  });

  test("an answer that comes in the moment of the cancellation is kept, and not shown", async () => {
    const { type, cancel, server, prefixes } = setUp();
    const answer = type("x = █");
    await turn();
    server.requests[0]?.finish("total");
    void Promise.resolve().then(cancel);
    expect(await answer).toBeUndefined();
    await turn();
    expect([await type("x = █"), prefixes()]).toEqual(["total", ["x = "]]);
  });

  test("a request is held while the next keystroke waits for its debounce", async () => {
    const { type, server, prefixes } = setUp();
    void type("x = █");
    await turn();
    const second = type("x = t█", { debounceMs: 300 });
    await vi.advanceTimersByTimeAsync(290);
    server.requests[0]?.finish("total");
    await vi.advanceTimersByTimeAsync(10);
    expect([await second, prefixes()]).toEqual(["otal", ["x = "]]);
  });

  test("leaving the editor closes the stream at once", async () => {
    const { type, cancel, flow, server } = setUp();
    const answer = type("x = █");
    await turn();
    cancel();
    await answer;
    flow.abandon();
    expect(server.requests[0]?.isAborted()).toBe(true);
  });
});

describe("what is written ahead of an answer", () => {
  async function answered() {
    const set = setUp();
    const first = set.type("x = █");
    await turn();
    set.server.requests[0]?.finish("total");
    await first;
    return { ...set, isClosed: () => set.server.requests[0]?.isAborted() };
  }

  test.each([
    ["the answer is typed on", "x = to█"],
    ["all of it was accepted", "x = total█"],
  ])("goes on while %s", async (_, source) => {
    const { type, isClosed } = await answered();
    void type(source);
    expect(isClosed()).toBe(false);
  });

  test("ends when something else is typed, and the answer is kept", async () => {
    const { type, isClosed, prefixes } = await answered();
    void type("x = s█", { debounceMs: 50 });
    expect(isClosed()).toBe(true);
    expect([await type("x = █"), prefixes()]).toEqual(["total", ["x = "]]);
  });

  test("ends when the editor is left", async () => {
    const { flow, isClosed } = await answered();
    flow.abandon();
    expect(isClosed()).toBe(true);
  });
});

describe("once stopped", () => {
  test("what waits for its debounce is not sent", async () => {
    const { type, flow, prefixes } = setUp();
    const answer = type("x = █", { debounceMs: 50 });
    flow.stop();
    await vi.advanceTimersByTimeAsync(50);
    expect([await answer, prefixes()]).toEqual([undefined, []]);
  });

  test("what is being written ends, whoever waits for it, and is not shown", async () => {
    const { type, flow, server, grown, ends } = setUp();
    const answer = type("x = █", { isManual: true });
    await turn();
    server.requests[0]?.say("total");
    flow.stop();
    expect([await answer, server.requests[0]?.isAborted(), grown, ends]).toEqual([undefined, true, [], []]);
  });
});

describe("several lines", () => {
  test("the first is shown when it is complete, and the rest when it is", async () => {
    const { type, server, grown, prefixes } = setUp();
    const first = type("def f():█");
    await turn();
    server.requests[0]?.say("\n  a = 1");
    expect(await first).toBe("\n  a = 1");
    await vi.advanceTimersByTimeAsync(5_000);
    server.requests[0]?.say("\n  b = 2");
    expect(grown).toEqual([false]);
    expect(await type("def f():█")).toBe("\n  a = 1\n  b = 2");
    server.requests[0]?.say("\n  return a");
    server.requests[0]?.finish("\n  a = 1\n  b = 2\n  return a");
    await turn();
    expect(grown).toEqual([false, false, true]);
    expect(await type("def f():█")).toBe("\n  a = 1\n  b = 2\n  return a");
    expect(prefixes()).toHaveLength(1);
  });

  test("the next line is there once the first was accepted, without a request", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("█");
    await turn();
    server.requests[0]?.say("a\nb");
    expect(await first).toBe("a\nb");
    server.requests[0]?.say("\nc");
    expect([await type("a\n█"), await type("a\nb█"), prefixes()]).toEqual(["b\nc", "\nc", [""]]);
  });

  test("nothing is told of an answer that was shown whole", async () => {
    const { type, server, grown } = setUp();
    const first = type("█");
    await turn();
    server.requests[0]?.say("a\nb");
    await first;
    server.requests[0]?.finish("a\nb");
    await turn();
    expect(grown).toEqual([]);
  });

  test("two who waited for it are told once that it has grown", async () => {
    const { ask, server, grown } = setUp();
    void ask("█");
    await turn();
    const both = [ask("█", { debounceMs: 50 }), ask("█", { debounceMs: 50 })];
    server.requests[0]?.say("a");
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all(both);
    server.requests[0]?.finish("a\nb");
    await turn();
    expect(grown).toEqual([true]);
  });

  test("by hand, all of it is waited for", async () => {
    const { type, server, ask } = setUp();
    const first = type("█", { isManual: true });
    await turn();
    server.requests[0]?.say("a");
    const second = ask("█", { isManual: true });
    await turn();
    server.requests[0]?.finish("a\nb");
    expect([await first, shown(await second), server.requests.length]).toEqual(["a\nb", "a\nb", 1]);
  });

  test("what was shown of a stream that was closed is still known", async () => {
    const { type, flow, server, prefixes } = setUp();
    const first = type("█");
    await turn();
    server.requests[0]?.say("a");
    await first;
    flow.abandon();
    expect([await type("█"), prefixes()]).toEqual(["a", [""]]);
    void type("a█");
    await turn();
    expect(prefixes()).toEqual(["", "a"]);
  });

  test("nothing is refreshed after the user has gone on elsewhere", async () => {
    const { type, server, grown } = setUp();
    const first = type("█");
    await turn();
    server.requests[0]?.say("a\nb");
    await first;
    void type("z█");
    expect([server.requests[0]?.isAborted(), grown]).toEqual([true, []]);
  });
});

describe("nothing to show", () => {
  test("is not asked for again at once, except by hand", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x█");
    await turn();
    server.requests[0]?.finish("", "low-confidence");
    expect([await first, await type("x█")]).toEqual([undefined, undefined]);
    expect(prefixes()).toHaveLength(1);
    void type("x█", { isManual: true });
    await turn();
    expect(prefixes()).toHaveLength(2);
  });

  test("is asked for again a little later, and further on", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x█");
    await turn();
    server.requests[0]?.finish("", "low-confidence");
    await first;
    void type("xy█");
    await turn();
    expect(prefixes()).toEqual(["x", "xy"]);
    await vi.advanceTimersByTimeAsync(1_001);
    void type("x█");
    await turn();
    expect(prefixes()).toEqual(["x", "xy", "x"]);
  });
});

test("a failure is told once, and the next keystroke asks again", async () => {
  const { type, server, ends, loading, prefixes } = setUp();
  const first = type("x█");
  await turn();
  const error = new Error("gone");
  server.requests[0]?.fail(error);
  expect([await first, loading()]).toEqual([undefined, 0]);
  expect(ends).toMatchObject([{ kind: "failed", error }]);
  void type("xy█");
  await turn();
  expect(prefixes()).toEqual(["x", "xy"]);
});

test("answers are forgotten after two minutes, and the oldest of many before", async () => {
  const { type, server, prefixes } = setUp();
  const answered = async (source: string) => {
    const answer = type(source);
    await turn();
    server.requests.at(-1)?.finish("!");
    await answer;
  };
  for (let i = 0; i < 33; i++) await answered(`${i}:█`);
  expect([await type("32:█"), await type("1:█"), prefixes().length]).toEqual(["!", "!", 33]);
  void type("0:█");
  await turn();
  expect(prefixes()).toHaveLength(34);
  await vi.advanceTimersByTimeAsync(120_001);
  void type("32:█");
  await turn();
  expect(prefixes()).toHaveLength(35);
});

describe("alternatives", () => {
  const requests = () => ["simple", "raw"].map((path) => ({ path, prefix: "", sessionId: path }));

  async function withAnswer() {
    const set = setUp();
    const first = set.type("x█");
    await turn();
    set.server.requests[0]?.finish("a");
    await first;
    const place = { scope: "a.ts", prefix: "x", suffix: "" };
    const more = (signal = never) =>
      set.flow.alternatives(place, requests, signal).then((all) => all.map(shown));
    return { ...set, more };
  }

  test("come behind the answer, each text once", async () => {
    const { more, server, ends } = await withAnswer();
    const all = more();
    await turn();
    server.requests[1]?.finish("b");
    server.requests[2]?.finish("a");
    expect(await all).toEqual(["a", "b"]);
    expect(ends).toHaveLength(1);
  });

  test("come all of them, however many answers were kept before", async () => {
    const { type, server, flow } = setUp();
    for (let i = 0; i < 40; i++) {
      const answer = type(`${i}:█`);
      await vi.advanceTimersByTimeAsync(10);
      server.requests.at(-1)?.finish(`${i}`);
      await answer;
    }
    const place = { scope: "a.ts", prefix: "39:", suffix: "" };
    const all = flow.alternatives(place, requests, never);
    await turn();
    server.requests.at(-2)?.finish("b");
    server.requests.at(-1)?.finish("c");
    expect((await all).map(shown)).toEqual(["39", "b", "c"]);
  });

  test("are asked for once at a place, and typed on like any other", async () => {
    const { more, server, type } = await withAnswer();
    const all = more();
    await turn();
    server.requests[1]?.finish("bc");
    server.requests[2]?.fail(new Error("no such mode"));
    expect([await all, await more(), server.requests.length]).toEqual([["a", "bc"], ["a", "bc"], 3]);
    expect([await type("xb█"), await type("x█"), server.requests.length]).toEqual(["c", "a", 3]);
  });

  test("are closed when the user goes on, and asked for anew when they come back", async () => {
    const { more, server } = await withAnswer();
    const typing = new AbortController();
    const all = more(typing.signal);
    await turn();
    typing.abort();
    expect(await all).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(server.requests.slice(1).map((one) => one.isAborted())).toEqual([true, true]);
    const again = more();
    await turn();
    for (const { finish } of server.requests.slice(3)) finish("b");
    expect(await again).toEqual(["a", "b"]);
  });
});

test("says how long the first text took", async () => {
  const { type, server, heard } = setUp();
  const first = type("x█");
  await turn();
  await vi.advanceTimersByTimeAsync(40);
  server.requests[0]?.say("a");
  await vi.advanceTimersByTimeAsync(40);
  server.requests[0]?.finish("ab");
  await first;
  expect(heard).toEqual([40]);
});

test("says nothing of how long a request took that failed or was overtaken", async () => {
  const { type, server, heard } = setUp();
  void type("x█");
  await turn();
  server.requests[0]?.fail(new Error("gone"));
  await turn();
  void type("xy█");
  await turn();
  server.requests[1]?.supersede();
  await turn();
  expect(heard).toEqual([]);
});

describe("a preview", () => {
  test("is shown while the model writes nothing, and goes on as text that begins with it", async () => {
    const { type, server, grown, heard } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    expect([await first, grown, heard]).toEqual(["total(", [], []]);
    server.requests[0]?.finish("total(a, b)");
    await turn();
    expect([grown, heard.length]).toEqual([[true], 1]);
    expect([await type("x = █"), await type("x = t█")]).toEqual(["total(a, b)", "otal(a, b)"]);
    expect(server.requests).toHaveLength(1);
  });

  test("gives way to another text once, where nothing was typed since", async () => {
    const { type, server, grown } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    server.requests[0]?.say("top();");
    await turn();
    expect(grown).toEqual([false]);
    expect([await type("x = █"), await type("x = t█"), await type("x = to█")]).toEqual([
      "top();",
      "op();",
      "p();",
    ]);
  });

  test.each([
    ["before the text came", true],
    ["before it was shown", false],
  ])("stays as it is for who has typed on %s", async (_, early) => {
    const { type, server, grown } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    if (early) await type("x = t█");
    server.requests[0]?.finish("top();");
    await turn();
    expect(await type("x = to█")).toBe("tal(");
    expect(grown).toEqual(early ? [] : [true]);
    expect(server.requests).toHaveLength(1);
  });

  test("of which some was typed is lengthened by text that begins with it", async () => {
    const { type, server, grown } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    await type("x = to█");
    server.requests[0]?.say("total(a);");
    await turn();
    expect([grown, await type("x = to█")]).toEqual([[false], "tal(a);"]);
  });

  test("that was accepted is followed by a request that the server can join", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    const second = type("x = total(█");
    await turn();
    expect([prefixes(), server.requests[0]?.isAborted()]).toEqual([["x = ", "x = total("], false]);
    server.requests[0]?.supersede();
    server.requests[1]?.finish("a);");
    expect(await second).toBe("a);");
  });

  test("that another key contradicts is gone, and the call is not", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    const second = type("x = b█");
    await turn();
    expect([prefixes(), server.requests[0]?.isAborted()]).toEqual([["x = ", "x = b"], false]);
    server.requests[1]?.finish("egin");
    expect(await second).toBe("egin");
  });

  test("is withdrawn by an answer without text", async () => {
    const { type, server, grown } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    server.requests[0]?.finish("");
    await turn();
    expect([grown, await type("x = █")]).toEqual([[true], undefined]);
    expect(server.requests).toHaveLength(1);
  });

  test("that is withdrawn is no answer to one who asks by hand and waits for all of it", async () => {
    const { type, server } = setUp();
    const answer = type("x = █", { isManual: true });
    await turn();
    server.requests[0]?.preview("total(");
    await turn();
    server.requests[0]?.finish("");
    expect(await answer).toBeUndefined();
  });

  test("nobody has seen does not count beside the text", async () => {
    const { type, cancel, server } = setUp();
    const first = type("x = █");
    await turn();
    cancel();
    server.requests[0]?.preview("total(");
    server.requests[0]?.say("top();");
    expect([await first, await type("x = to█")]).toEqual([undefined, "p();"]);
  });

  test("of a request that failed is not shown again", async () => {
    const { type, server, prefixes } = setUp();
    const first = type("x = █");
    await turn();
    server.requests[0]?.preview("total(");
    await first;
    server.requests[0]?.fail(new Error("away"));
    await turn();
    void type("x = █");
    await turn();
    expect(prefixes()).toEqual(["x = ", "x = "]);
  });
});
