import { expect, test } from "vitest";
import { closedPort } from "./testing/fake-server.ts";
import { describeError, UpstreamError } from "./upstream-error.ts";

test("says why a fetch failed", async () => {
  const port = await closedPort();
  const error = await fetch(`http://127.0.0.1:${port}`).catch((e: unknown) => e);
  expect(describeError(error)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

test("adds a cause that the message does not name already", () => {
  expect(describeError(new Error("no index", { cause: new Error("disk full") }))).toBe(
    "no index (disk full)",
  );
  expect(describeError(new Error("disk full: no index", { cause: new Error("disk full") }))).toBe(
    "disk full: no index",
  );
});

test("a name with several addresses fails for the first one's reason", () => {
  const cause = new AggregateError([new Error("ECONNREFUSED ::1"), new Error("ECONNREFUSED 127.0.0.1")]);
  expect(describeError(new TypeError("fetch failed", { cause }))).toBe("ECONNREFUSED ::1");
});

test("what is no error is shown as it is", () => {
  expect(describeError("gone")).toBe("gone");
});

test("an upstream's words are not followed by their own cause", () => {
  const cause = new TypeError("fetch failed");
  expect(describeError(new UpstreamError("ollama", "no answer from http://x", { cause }))).toBe(
    "ollama: no answer from http://x",
  );
});

test("a server that is waited for no longer gave no answer in time", () => {
  const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  expect(describeError(reason)).toBe("no answer in time");
});
