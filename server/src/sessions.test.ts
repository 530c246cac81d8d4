import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createSessions } from "./sessions.ts";

const live = () => new AbortController().signal;

test("a newer request ends the older ones of its session once it takes over, and no others", () => {
  const sessions = createSessions();
  const [one, two, other, alone] = ["a", "a", "b", undefined].map((id) => sessions.begin(id, live()));
  two?.takeOver();
  expect([one, two, other, alone].map((session) => session?.signal.aborted)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(one?.signal.reason).toMatchObject({ name: "AbortError" });
});

test("a request ends with its caller's signal, and with the caller's reason", () => {
  const caller = new AbortController();
  const { signal } = createSessions().begin("a", caller.signal);
  caller.abort("gone");
  expect(signal.reason).toBe("gone");
  expect(createSessions().begin("a", caller.signal).signal.reason).toBe("gone");
});

test("a request ends at its deadline, whatever was garbage collected meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const reasons: unknown[] = [];
  // Whoever waits holds nothing but the listener, as a call to a server does that does not answer.
  createSessions()
    .begin("a", live(), 20)
    .signal.addEventListener("abort", ({ target }) => reasons.push((target as AbortSignal).reason));
  collectGarbage();
  await expect.poll(() => reasons).toMatchObject([{ name: "TimeoutError" }]);
});

test("keeps nothing of a session whose requests are done", () => {
  const sessions = createSessions();
  const requests = ["a", "a", "b", undefined].map((id) => sessions.begin(id, live(), 60_000));
  expect(sessions.size).toBe(2);
  for (const { end } of requests) end();
  expect(sessions.size).toBe(0);
});
