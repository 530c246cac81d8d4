import { expect, test } from "vitest";
import { indexedLine, outcomeLine } from "./log-line.ts";
import { ServerUnreachable } from "./server.ts";
import { done } from "./testing/answers.ts";

const request = { path: "src/a.py", prefix: "password = ", suffix: "", requestId: "r" };

test("a request becomes one line without any code", () => {
  const answered = (completion: string, reason = "ok") =>
    outcomeLine({ kind: "answered", request, answer: done(completion, reason), ms: 12 });
  const error = new ServerUnreachable("http://127.0.0.1:1", new Error("connect ECONNREFUSED"));
  expect([
    answered('"hunter2"'),
    answered("", "low-confidence"),
    outcomeLine({ kind: "failed", request, error }),
    indexedLine({ path: "a.py" }, { indexed: 3 }),
    indexedLine({ path: "a.bin" }, { indexed: 0, skipped: "binary" }),
  ]).toEqual([
    "complete src/a.py: 9 characters in 12 ms, instant n-gram, 0 sources",
    "complete src/a.py: no suggestion (low-confidence) in 12 ms, instant n-gram, 0 sources",
    "complete src/a.py: server unreachable at http://127.0.0.1:1: connect ECONNREFUSED",
    "index a.py: 3 chunks",
    "index a.bin: skipped (binary)",
  ]);
});

test("of several workspaces the line names the one", () => {
  const inDocs = { ...request, workspace: "docs" };
  expect([
    outcomeLine({ kind: "answered", request: inDocs, answer: done("x", "ok"), ms: 12 }),
    indexedLine({ workspace: "docs", path: "a.py" }, { indexed: 3 }),
  ]).toEqual([
    "complete docs: src/a.py: 1 characters in 12 ms, instant n-gram, 0 sources",
    "index docs: a.py: 3 chunks",
  ]);
});
