import { expect, test } from "vitest";
import { createRouting } from "./routing-headers.ts";

const answered = (token: string) => new Headers({ "x-session-token": token });

test("forgets the token of a session that was not heard of for longest", () => {
  const routing = createRouting("x-user-id");
  for (let i = 0; i < 1_000; i++) routing.remember({ sessionId: `s${i}` }, answered(`t${i}`));
  routing.remember({ sessionId: "s0" }, answered("again"));
  routing.remember({ sessionId: "one more" }, answered("t"));
  const tokenOf = (sessionId: string) => routing.headersFor({ sessionId })["x-session-token"];
  expect(["s0", "s1", "s2", "one more"].map(tokenOf)).toEqual(["again", undefined, "t2", "t"]);
});

test("remembers nothing of an answer without a token, or a request without a session", () => {
  const routing = createRouting("x-user-id");
  routing.remember({}, answered("t"));
  routing.remember({ sessionId: "s" }, new Headers());
  expect(routing.headersFor({})).toEqual({});
  expect(routing.headersFor({ sessionId: "s" })).toEqual({ "x-user-id": "s" });
});
