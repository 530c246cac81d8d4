import { atCursor } from "@dhi/core/testing/at-cursor";
import { expect, test } from "vitest";
import { surroundingsOf } from "./surroundings.ts";

const around = (source: string, languageId = "typescript") =>
  surroundingsOf({ ...atCursor(source), languageId });

test("counts what is open and closed nowhere, and what is closed and still to be opened", () => {
  expect(around("f() {\n  g(█\n}")).toMatchObject({
    missing: { "(": 1, "[": 0, "{": 0 },
    awaited: { "(": 0, "[": 0, "{": 0 },
  });
  expect(around("f() {\n  █\n  ]);\n}")).toMatchObject({
    missing: { "(": 0, "[": 0, "{": 0 },
    awaited: { "(": 1, "[": 1, "{": 0 },
  });
});

test("a file that closes more than it opens tells nothing of what is missing", () => {
  expect(around("f())\ng(█")?.missing).toBeUndefined();
});

test("nor does one that is too long to be read whole", () => {
  const line = "foo(bar);\n";
  expect(around(`${line.repeat(6_000)}g(█`)?.missing).toBeUndefined();
  expect(around(`g(█\n${line.repeat(6_000)}`)?.missing).toBeUndefined();
  expect(around(`${line.repeat(4_000)}g(█`)?.missing).toMatchObject({ "(": 1 });
});

test("a reading that may have begun in a string is none", () => {
  expect(around(`"""\n${"a\n".repeat(30_000)}"""\nf(█`, "python")).toBeUndefined();
});

test("reads once per request", () => {
  const request = { ...atCursor("f(█"), languageId: "go" };
  expect(surroundingsOf(request)).toBe(surroundingsOf(request));
});

test("knows nothing of other languages; the path tells where the editor does not", () => {
  expect(around("f(█", "cobol")).toBeUndefined();
  expect(surroundingsOf({ prefix: "f(", suffix: "", languageId: "", path: "a.go" })).toBeDefined();
});
