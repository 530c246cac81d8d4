import { expect, test } from "vitest";
import { withDeadline } from "./deadline.ts";

const never = new AbortController().signal;
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test("gives what the work gives", async () => {
  expect(await withDeadline(1000, never, async () => 7)).toBe(7);
});

test("ends the work when the time is over", async () => {
  await expect(withDeadline(10, never, untilAborted)).rejects.toMatchObject({
    name: "TimeoutError",
    message: "no answer within 0.01 s",
  });
});

test("ends the work with the caller's own reason", async () => {
  const caller = new AbortController();
  const working = withDeadline(60_000, caller.signal, untilAborted);
  caller.abort(new Error("enough"));
  await expect(working).rejects.toThrow("enough");
});

test("starts nothing for a signal that has fired", async () => {
  let started = false;
  const work = async () => {
    started = true;
  };
  await expect(withDeadline(1000, AbortSignal.abort(), work)).rejects.toMatchObject({ name: "AbortError" });
  expect(started).toBe(false);
});
