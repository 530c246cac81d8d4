import { expect, test } from "vitest";
import { askEngine } from "./ask-engine.ts";
import { startFakeOllama } from "./fake-ollama.ts";

const options = { model: "m", prefillRate: 100_000, decodeRate: 10_000, rightLines: 1, seed: 1 };
const live = () => new AbortController().signal;
const editor = (prefix: string) => ({ path: "a.ts", prefix, suffix: "\n}" });

test("writes what the user is about to type, and counts it", async () => {
  await using engine = await startFakeOllama(options);
  engine.aim("function f() {\n  return total;\n}");
  const ask = { url: engine.url, model: "m" };
  const text = await askEngine(ask, editor("function f() {\n  "), () => true, live());
  expect(text).toBe("return total;\n}");
  expect(engine.counts).toMatchObject({
    requests: 1,
    aborted: 0,
    decodedTokens: 4,
    decodedAfterSupersede: 0,
  });
});

test("counts what it writes after something else was typed", async () => {
  await using engine = await startFakeOllama({ ...options, decodeRate: 200 });
  engine.aim("function f() {\n  return total;\n}");
  const typing = askEngine(
    { url: engine.url, model: "m" },
    editor("function f() {\n  "),
    (text) => {
      if (text === "retu") engine.typed("function f() {\n  re");
      if (text === "return t") engine.typed("function f() {\n  rx");
      if (text === "return total") engine.asked("function f() {\n  rx");
      return true;
    },
    live(),
  );
  await typing;
  expect(engine.counts).toMatchObject({ decodedTokens: 4, decodedAfterSupersede: 2, decodedLate: 0 });
});

test("counts what it writes after a newer request, but for what was on its way", async () => {
  await using engine = await startFakeOllama({ ...options, decodeRate: 200 });
  engine.aim("function f() {\n  return total;\n}");
  const onText = () => {
    engine.asked("function f() {\n  rx");
    return true;
  };
  await askEngine({ url: engine.url, model: "m" }, editor("function f() {\n  "), onText, live());
  expect(engine.counts).toMatchObject({ decodedTokens: 4, decodedLate: 2, mostLate: 2 });
});

test("does not count what it writes for a place that the user may still come to", async () => {
  await using engine = await startFakeOllama({ ...options, decodeRate: 200 });
  engine.aim("function f() {\n  return total;\n}");
  const onText = () => {
    engine.typed("function f() {\n  re");
    return true;
  };
  await askEngine({ url: engine.url, model: "m" }, editor("function f() {\n  return total;"), onText, live());
  expect(engine.counts).toMatchObject({ decodedTokens: 1, decodedAfterSupersede: 0 });
});

test("remembers the start that a prompt shares with the one before", async () => {
  await using engine = await startFakeOllama(options);
  const ask = { url: engine.url, model: "m" };
  await askEngine(ask, editor("x".repeat(400)), () => true, live());
  await askEngine(ask, editor(`${"x".repeat(400)}y`), () => true, live());
  const { promptTokens, cachedTokens } = engine.counts;
  expect({ promptTokens, cachedTokens }).toEqual({ promptTokens: 222, cachedTokens: 103 });
  expect(engine.counts.reread).toMatchObject({ typed: 8, snippets: 0 });
});

test("is left at once by a client that hangs up", async () => {
  await using engine = await startFakeOllama({ ...options, prefillRate: 1 });
  const abort = new AbortController();
  const asked = askEngine({ url: engine.url, model: "m" }, editor("a long prefix"), () => true, abort.signal);
  await expect.poll(() => engine.counts.requests).toBe(1);
  abort.abort();
  await asked;
  await expect.poll(() => engine.counts.aborted).toBe(1);
});
