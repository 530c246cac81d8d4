import { startFakeServer } from "@dhi/core/testing/fake-server";
import { UpstreamError } from "@dhi/core/upstream-error";
import { expect, test } from "vitest";
import { createUpstream } from "./upstream-http.ts";

const live = () => new AbortController().signal;

async function refusal(body: string, headers: Record<string, string> = {}): Promise<UpstreamError> {
  await using server = await startFakeServer((_, response) => {
    response.writeHead(429, headers).end(body);
  });
  const error = await createUpstream({ name: "openai", url: server.url })
    .post("/x", {}, live())
    .catch((e: unknown) => e);
  if (!(error instanceof UpstreamError)) throw error;
  return error;
}

test.each([
  ["a string", { error: "slow down" }, "slow down"],
  ["an object", { error: { message: "slow down", code: 429 } }, "slow down"],
  ["a message", { object: "error", message: "slow down" }, "slow down"],
  ["a detail", { detail: "slow down" }, "slow down"],
  ["something else", { reason: 7 }, '{"reason":7}'],
])("quotes an error that is %s", async (_, body, words) => {
  expect((await refusal(JSON.stringify(body))).message).toBe(`openai: 429 ${words}`);
});

test("quotes no more than 500 characters", async () => {
  expect((await refusal("x".repeat(9_000))).message).toBe(`openai: 429 ${"x".repeat(500)}`);
});

test.each([
  ["3", 3_000],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["soon", undefined],
])("reads Retry-After: %s", async (value, ms) => {
  expect((await refusal("", { "retry-after": value })).retryAfterMs).toBe(ms);
});

test("reads a Retry-After that is a date to come", async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { retryAfterMs } = await refusal("", { "retry-after": date });
  expect(retryAfterMs).toBeGreaterThan(30_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});
