import { expect, test } from "vitest";
import {
  currentRequest,
  inRequest,
  keepOutOfLogs,
  loggedId,
  requestIdOf,
  withoutCode,
} from "./request-context.ts";

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

test("words that quote code of the request are logged without it, and others as they are", () => {
  const words = "400 input 'const total = sum(a, b);' is too long";
  expect(withoutCode(words)).toBe(words);
  inRequest({ id: "1" }, () => {
    keepOutOfLogs("const total = sum(a, b);");
    // Nothing is known of such a request.
    expect(withoutCode(words)).toBe(words);
  });
  inRequest({ id: "1", code: ["let x;\nconst total = "] }, () => {
    expect(withoutCode(words)).toBe("400 input '…sum(a, b);' is too long");
    keepOutOfLogs("f(sum(a, b));");
    expect(withoutCode(words)).toBe("400 input '…;' is too long");
    expect(withoutCode("const")).toBe("const");
  });
  inRequest({ id: "1", code: [], isOver: true }, () => expect(withoutCode(words)).not.toMatch("total"));
});
