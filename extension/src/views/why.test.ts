import { dropReason } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Refusal } from "../control/gate.ts";
import { done, job, serverStatus } from "../testing/answers.ts";
import { type Place, whyAnswered, whyNotAsked } from "./why.ts";

const clear: Place = {
  ...{ inlineSuggestIsOn: true, cursors: 1, isFile: true, refusal: undefined },
  server: { kind: "ready", status: serverStatus() },
};
const at = (changed: Partial<Place>) => whyNotAsked({ ...clear, ...changed });
const refused = (refusal: Refusal) => at({ refusal });

test("nothing is in the way at a usual place, so the server is asked", () => {
  expect(at({})).toBeUndefined();
});

test("what only holds suggestions back while typing does not keep the server from being asked", () => {
  expect([refused({ kind: "manual" }), refused({ kind: "battery" })]).toEqual([undefined, undefined]);
});

test.each<[string, Partial<Place>, string, string | undefined]>([
  [
    "VS Code's own switch comes first",
    { inlineSuggestIsOn: false },
    "editor.inlineSuggest.enabled is off",
    "settings",
  ],
  ["off", { refusal: { kind: "off" } }, "Dhi is off here (dhi.enable). Nothing is sent.", "enable"],
  ["snoozed", { refusal: { kind: "snoozed", until: 0 } }, "Dhi: snoozed until", "endSnooze"],
  ["not served", { refusal: { kind: "not-served" } }, "does not serve this file's folder", "doctor"],
  ["no file", { refusal: { kind: "not-served" }, isFile: false }, "no file of an open folder", undefined],
  ["secret", { refusal: { kind: "secret" } }, "may hold secrets. Nothing of it is ever sent.", undefined],
  [
    "excluded",
    { refusal: { kind: "excluded", glob: "*.pem" } },
    "*.pem in dhi.excludeGlobs excludes this file.",
    "settings",
  ],
  ["comments", { refusal: { kind: "comment" } }, "Off in comments (dhi.commentsAndStrings).", "settings"],
  ["strings", { refusal: { kind: "string" } }, "Off in strings (dhi.commentsAndStrings).", "settings"],
  ["several cursors", { cursors: 3 }, "There are 3 cursors.", undefined],
  ["no server", { server: { kind: "unreachable", message: "refused" } }, "Dhi: refused", "doctor"],
])("%s", (_, changed, words, action) => {
  const found = at(changed);
  expect(found?.words).toContain(words);
  expect(found?.action).toBe(action);
});

test("every reason of the server is told in a sentence, with who was asked", () => {
  for (const reason of dropReason.options) {
    const { words } = whyAnswered(done("", reason), 34, clear);
    expect(words).toMatch(/^No suggestion: .{8,}\. Asked just now: n-gram \(instant\), 34 ms\.$/);
    expect(words).not.toContain(reason);
  }
});

test("an answer that took too long, and an index that is not there yet, are told", () => {
  const syncing = serverStatus({ state: "syncing", job: job({ files: 1, filesTotal: 4 }) });
  const place = { refusal: undefined, server: { kind: "ready", status: syncing } } as const;
  expect(whyAnswered({ ...done("", "ok"), finish: "deadline" }, 9_000, place).words).toBe(
    "No suggestion: the model had nothing to add. The time for an answer was over. Asked just now: n-gram (instant), 9000 ms. " +
      "The index is being brought up to date (25 %).",
  );
});

test("where there is a suggestion after all, what hides it is told", () => {
  expect(whyAnswered(done("abc"), 5, clear).words).toBe(
    "There is a suggestion here (3 characters in 5 ms). Alt+\\ shows it; an open list of IntelliSense may hide it.",
  );
  expect(whyAnswered(done("abc"), 5, { ...clear, refusal: { kind: "manual" } }).words).toBe(
    "There is a suggestion here (3 characters in 5 ms). Suggestions come on demand only (dhi.trigger).",
  );
});
