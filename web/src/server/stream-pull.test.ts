import type { PullProgress } from "@dhi/core/config-protocol";
import { expect, test, vi } from "vitest";
import { streamPull } from "./stream-pull.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const half = { status: "pulling", completed: 1, total: 2, done: false };
const whole = { status: "success", completed: 2, total: 2, done: true };

/** Has the server answer with these. */
function pull(...events: object[]) {
  vi.stubGlobal(
    "fetch",
    async () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")),
  );
  const told: PullProgress[] = [];
  const ended = streamPull("m", (progress) => told.push(progress), new AbortController().signal);
  return { told, ended };
}

test("a pull tells how far it is until the model is whole", async () => {
  const { told, ended } = pull(half, whole);
  await ended;
  expect(told).toEqual([half, whole]);
});

test("what goes wrong on the way is told in the server's words", async () => {
  const { told, ended } = pull(half, {
    error: { code: "upstream", message: "no such model", hint: "Look." },
  });
  await expect(ended).rejects.toMatchObject({ message: "no such model", hint: "Look." });
  expect(told).toEqual([half]);
});

test("a pull that breaks off is not taken for a whole one", async () => {
  await expect(pull(half).ended).rejects.toMatchObject({
    name: "ServerProblem",
    message: "the answer broke off",
  });
});
