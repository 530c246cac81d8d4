import { expect, test } from "vitest";
import { createQueues } from "./queues.ts";

/** @returns how many of these calls an engine gets at once */
async function atOnce(
  queues: ReturnType<typeof createQueues>,
  engine: { readonly name: "llama-server"; readonly slots?: number },
) {
  const abort = new AbortController();
  const never = () => new Promise<void>((_, reject) => abort.signal.addEventListener("abort", reject));
  const calls = ["a", "b", "c", "d"].map((session) => queues(engine).run(session, never, abort.signal));
  await Promise.resolve();
  const { running } = queues(engine);
  abort.abort();
  await Promise.allSettled(calls);
  return running;
}

test("an engine gets one call at a time until it tells, and then as many as it works on", async () => {
  const queues = createQueues(undefined, () => {});
  expect(await atOnce(queues, { name: "llama-server" })).toBe(1);
  expect(await atOnce(queues, { name: "llama-server", slots: 2 })).toBe(2);
  // Who asks for the queue alone does not know.
  expect(await atOnce(queues, { name: "llama-server" })).toBe(2);
});

test("settings count more than what an engine tells", async () => {
  expect(
    await atOnce(
      createQueues(3, () => {}),
      { name: "llama-server", slots: 2 },
    ),
  ).toBe(3);
});
