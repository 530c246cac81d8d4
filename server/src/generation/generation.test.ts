import { expect, test } from "vitest";
import type { Generated } from "../engines/engine.ts";
import { deferred } from "../testing/deferred.ts";
import { startGeneration, type Verdict } from "./generation.ts";

const live = () => new AbortController().signal;
const generatedOf = (text: string): Generated => ({
  ...{ text, finish: "stop", meanLogprob: null, confidence: null, firstTokenMs: 1 },
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
});

/** An engine call that writes when told to. */
function fakeCall() {
  const { promise, resolve, reject } = deferred<Generated>();
  let onPiece: (piece: string) => void = () => {};
  let text = "";
  let aborted = false;
  const generation = startGeneration("about", (onText, signal) => {
    onPiece = onText;
    signal.addEventListener("abort", () => {
      aborted = true;
      reject(signal.reason);
    });
    return promise;
  });
  return {
    generation,
    write(piece: string) {
      text += piece;
      onPiece(piece);
    },
    end: () => resolve(generatedOf(text)),
    fail: reject,
    wasAborted: () => aborted,
  };
}
const always = (verdict: Verdict) => () => verdict;
const firstLine = (text: string): Verdict => (text.includes("\n") ? "enough" : "more");

test("a follower sees the text from its start, whenever it comes", async () => {
  const call = fakeCall();
  call.write("one");
  const seen: string[] = [];
  const following = call.generation.follow((text) => {
    seen.push(text);
    return "more";
  }, live());
  call.write(" two");
  call.end();
  expect(await following).toEqual({ how: "over", generated: generatedOf("one two") });
  expect(seen).toEqual(["one", "one two", "one two"]);
  expect(await call.generation.follow(always("more"), live())).toMatchObject({ how: "over" });
});

test("goes on when its follower has enough, for whoever comes next", async () => {
  const call = fakeCall();
  const first = call.generation.follow(firstLine, live());
  call.write("a\nb");
  expect(await first).toEqual({ how: "enough" });
  expect(call.wasAborted()).toBe(false);
  call.write("c\n");
  call.end();
  await call.generation.follow(always("more"), live());
  expect(call.generation).toMatchObject({ text: "a\nbc\n", state: "over" });
});

test("writes only some lines for nobody", async () => {
  const call = fakeCall();
  const first = call.generation.follow(firstLine, live());
  call.write("a\n");
  await first;
  call.write("b\nc\nd");
  expect(call.wasAborted()).toBe(false);
  call.write("\ne\n");
  expect(call.wasAborted()).toBe(true);
  expect(call.generation).toMatchObject({ text: "a\nb\nc\nd\ne\n", state: "cut" });
});

test.each<[string, (call: ReturnType<typeof fakeCall>, abort: AbortController) => void]>([
  ["hangs up", (_, abort) => abort.abort()],
  ["has something else in the editor", (call) => call.write("\n")],
])("is aborted at once when its last follower %s", async (_, leave) => {
  const call = fakeCall();
  const abort = new AbortController();
  const following = call.generation.follow((text) => (text ? "diverged" : "more"), abort.signal);
  following.catch(() => {});
  leave(call, abort);
  expect(call.wasAborted()).toBe(true);
  expect(call.generation.state).toBe("cut");
  await Promise.allSettled([following]);
});

test("goes on for the other followers", async () => {
  const call = fakeCall();
  const abort = new AbortController();
  const first = call.generation.follow(always("more"), abort.signal);
  const second = call.generation.follow(always("more"), live());
  abort.abort();
  await expect(first).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(call.wasAborted()).toBe(false);
  call.end();
  expect(await second).toMatchObject({ how: "over" });
});

test("is released only when nobody follows", async () => {
  const call = fakeCall();
  const following = call.generation.follow(firstLine, live());
  expect(call.generation.release()).toBe(false);
  call.write("a\n");
  await following;
  expect(call.generation.release()).toBe(true);
  expect(call.wasAborted()).toBe(true);
});

test("the engine's failure is its followers', also of those who come later", async () => {
  const call = fakeCall();
  const following = call.generation.follow(always("more"), live());
  call.fail(new Error("refused"));
  await expect(following).rejects.toThrow("refused");
  await expect(call.generation.follow(always("more"), live())).rejects.toThrow("refused");
});

test("what one follower throws is its own: the call and its other followers go on", async () => {
  const call = fakeCall();
  const faulty = call.generation.follow((text) => {
    if (text) throw new Error("no reader");
    return "more";
  }, live());
  const other = call.generation.follow(always("more"), live());
  expect(() => call.write("a")).not.toThrow();
  await expect(faulty).rejects.toThrow("no reader");
  call.end();
  expect(await other).toMatchObject({ how: "over" });
});

test("a follower that throws at the end of an engine that does not stream is not left waiting", async () => {
  const { promise, resolve } = deferred<Generated>();
  const generation = startGeneration("about", () => promise);
  const faulty = generation.follow((text) => {
    if (text) throw new Error("no reader");
    return "more";
  }, live());
  resolve(generatedOf("a"));
  await expect(faulty).rejects.toThrow("no reader");
});

test("ends what it writes ahead when the last who watches leaves", async () => {
  const call = fakeCall();
  const following = call.generation.follow(firstLine, live());
  call.write("a\n");
  await following;
  const [one, two] = [new AbortController(), new AbortController()];
  const watching = [one, two].map(({ signal }) => call.generation.watch(signal));
  one.abort();
  expect(call.wasAborted()).toBe(false);
  two.abort();
  expect(call.wasAborted()).toBe(true);
  await Promise.all(watching);
});

test("goes on for who follows when who watches leaves, and lets those go who watch to its end", async () => {
  const call = fakeCall();
  const following = call.generation.follow(always("more"), live());
  const leaving = new AbortController();
  void call.generation.watch(leaving.signal);
  leaving.abort();
  const watching = call.generation.watch(live());
  call.write("a");
  call.end();
  expect(await following).toMatchObject({ how: "over" });
  await watching;
  expect(call.wasAborted()).toBe(false);
});
