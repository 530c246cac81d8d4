import { expect, test } from "vitest";
import { abortSignal, wait } from "./wait.ts";

test("a wait ends with the signal's reason as soon as it fires", async () => {
  const controller = new AbortController();
  const waiting = wait(60_000, controller.signal);
  controller.abort(new Error("typed on"));
  await expect(waiting).rejects.toThrow("typed on");
  await expect(wait(0, controller.signal)).rejects.toThrow("typed on");
});

test("a cancellation token becomes a signal, also when it was cancelled before", () => {
  const listeners: (() => void)[] = [];
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (l: () => void) => listeners.push(l),
  };
  const signal = abortSignal(token);
  expect(signal.aborted).toBe(false);
  for (const listener of listeners) listener();
  expect(signal.aborted).toBe(true);
  expect(abortSignal({ ...token, isCancellationRequested: true }).aborted).toBe(true);
});
