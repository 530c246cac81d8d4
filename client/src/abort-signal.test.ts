import { expect, test } from "vitest";
import { abortSignal } from "./abort-signal.ts";

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
