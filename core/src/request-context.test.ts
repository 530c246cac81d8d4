import { expect, test } from "vitest";
import { currentRequest, inRequest, loggedId, requestIdOf } from "./request-context.ts";

test("what a request starts knows whose it is, and nothing else does", async () => {
  const seen: (string | undefined)[] = [];
  const later = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const work = async () => {
    await later(1);
    seen.push(currentRequest()?.id);
  };
  await Promise.all([inRequest({ id: "a" }, work), inRequest({ id: "b" }, work), work()]);
  expect(seen.toSorted()).toEqual(["a", "b", undefined]);
});

test("the first id that a header can hold is taken, else one is made", () => {
  expect(requestIdOf(undefined, "window-1", "other")).toBe("window-1");
  expect(requestIdOf("two\nlines", "", "ä", 7, "x".repeat(201), "last")).toBe("last");
  expect(requestIdOf()).toMatch(/^[0-9a-f-]{36}$/);
  expect(requestIdOf()).not.toBe(requestIdOf());
});

test("an id is logged as it is when it is as ours are, and as a hash when it may be code", () => {
  const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
  expect([uuid, `${uuid}-12`].map(loggedId)).toEqual([uuid, `${uuid}-12`]);
  for (const id of ["getUserName", "deadbeef", "return a + b;", `${uuid} of me`])
    expect(loggedId(id)).toMatch(/^#[0-9a-f]{16}$/);
  expect(loggedId("getUserName")).not.toBe(loggedId("getUserNames"));
});
