import { expect, test } from "vitest";
import { wait } from "./wait.ts";

test("a wait ends with the signal's reason as soon as it fires", async () => {
  const controller = new AbortController();
  const waiting = wait(60_000, controller.signal);
  controller.abort(new Error("typed on"));
  await expect(waiting).rejects.toThrow("typed on");
  await expect(wait(0, controller.signal)).rejects.toThrow("typed on");
});
