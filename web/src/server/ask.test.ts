import { expect, test, vi } from "vitest";
import { ask } from "./ask.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const answers = (does: (signal: AbortSignal | null | undefined) => Promise<Response>) =>
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => does(signal));

/** Until the request is given up. */
const never = (signal: AbortSignal | null | undefined) =>
  new Promise<Response>((_, fail) => {
    signal?.addEventListener("abort", () => fail(signal.reason));
  });

test("an answer that ends in the middle is a problem of the server, in words", async () => {
  answers(async () => new Response('{"half":'));
  await expect(ask("/v1/status")).rejects.toMatchObject({
    name: "ServerProblem",
    message: "the answer broke off",
  });
});

test("a server that hangs counts as one that does not answer", async () => {
  answers(never);
  await expect(ask("/v1/status", { withinMs: 5 })).rejects.toMatchObject({
    name: "ServerProblem",
    message: "the server does not answer",
  });
});

test("what its caller gives up is no problem of the server", async () => {
  answers(never);
  const controller = new AbortController();
  const asked = ask("/v1/status", { signal: controller.signal, withinMs: 60_000 });
  controller.abort(new Error("looked away"));
  await expect(asked).rejects.toThrow("looked away");
});
