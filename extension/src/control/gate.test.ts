import { expect, test } from "vitest";
import type { Located } from "../locate-file.ts";
import { readSettings } from "../settings.ts";
import {
  type AskedPlace,
  fileRefusal,
  isSingleLine,
  type Pause,
  placeRefusal,
  type Refusal,
  refusalWords,
} from "./gate.ts";

const settings = (changed: Record<string, unknown> = {}) => readSettings({ get: (key) => changed[key] });
const file = { path: "src/a.py" };

test.each<[string, Located | undefined, Record<string, unknown>, Refusal | undefined]>([
  ["a source file is let through", file, {}, undefined],
  ["nothing passes when off", file, { enable: false }, { kind: "off" }],
  ["a file of no workspace is not served", undefined, {}, { kind: "not-served" }],
  ["a name that says secret is never sent", { path: ".npmrc" }, { excludeGlobs: [] }, { kind: "secret" }],
  [
    "the default globs hold examples back too",
    { path: ".env.example" },
    {},
    { kind: "excluded", glob: ".env*" },
  ],
  ["the user's own globs hold", file, { excludeGlobs: ["src/**"] }, { kind: "excluded", glob: "src/**" }],
  [
    "a glob holds from the open folder that lies above the served one",
    { path: "src/a.py", openPath: "clients/acme/src/a.py" },
    { excludeGlobs: ["/clients/acme/**"] },
    { kind: "excluded", glob: "/clients/acme/**" },
  ],
])("%s", (_, located, changed, expected) => {
  expect(fileRefusal(located, settings(changed))).toEqual(expected);
});

test("a snooze holds everything back until it is over", () => {
  const snoozed = { snoozedUntil: 1_000 };
  expect(fileRefusal(file, settings(), snoozed, 999)).toEqual({ kind: "snoozed", until: 1_000 });
  expect(fileRefusal(file, settings(), snoozed, 1_000)).toBeUndefined();
});

const inComment = (trigger: "automatic" | "manual") => ({
  ...{ trigger, languageId: "python" },
  prefix: () => "x = 1  # one",
});
const onBattery: Pause = { snoozedUntil: 0, isOnBattery: true };

test.each<[string, "automatic" | "manual", Record<string, unknown>, Pause | undefined, Refusal | undefined]>([
  ["a comment is a place like any other", "automatic", {}, undefined, undefined],
  ["off in comments", "automatic", { commentsAndStrings: "off" }, undefined, { kind: "comment" }],
  ["off in comments by hand too", "manual", { commentsAndStrings: "off" }, undefined, { kind: "comment" }],
  ["single lines are asked for", "automatic", { commentsAndStrings: "singleLine" }, undefined, undefined],
  ["on demand only", "automatic", { trigger: "manual" }, undefined, { kind: "manual" }],
  ["on demand", "manual", { trigger: "manual" }, undefined, undefined],
  ["on battery", "automatic", { pauseOnBattery: true }, onBattery, { kind: "battery" }],
  ["on battery by hand", "manual", { pauseOnBattery: true }, onBattery, undefined],
  ["on battery, when that is no reason", "automatic", {}, onBattery, undefined],
])("%s", (_, trigger, changed, pause, expected) => {
  expect(placeRefusal(inComment(trigger), settings(changed), pause)).toEqual(expected);
});

test("text before the cursor is read only when comments and strings matter", () => {
  const place: AskedPlace = {
    trigger: "automatic",
    languageId: "python",
    prefix() {
      throw new Error("read");
    },
  };
  expect(placeRefusal(place, settings())).toBeUndefined();
  expect(isSingleLine(place, settings())).toBe(false);
});

test("one line is asked for in comments, and all of it in code", () => {
  const singleLine = settings({ commentsAndStrings: "singleLine" });
  expect(isSingleLine(inComment("automatic"), singleLine)).toBe(true);
  expect(isSingleLine({ languageId: "python", prefix: () => "x = " }, singleLine)).toBe(false);
});

test("every refusal has words", () => {
  const until = new Date(2026, 0, 1, 14, 5).getTime();
  const refusals: Refusal[] = [
    ...(["off", "not-served", "secret", "manual", "battery", "comment", "string"] as const).map((kind) => ({
      kind,
    })),
    { kind: "excluded", glob: "*.pem" },
  ];
  expect(refusals.map(refusalWords)).toEqual([
    "Dhi is off",
    "the server does not serve this file's folder",
    "this file may hold secrets",
    "suggestions come on demand only (dhi.trigger)",
    "paused while on battery (dhi.pauseOnBattery)",
    "off in comments (dhi.commentsAndStrings)",
    "off in strings (dhi.commentsAndStrings)",
    "*.pem in dhi.excludeGlobs excludes this file",
  ]);
  expect(refusalWords({ kind: "snoozed", until })).toMatch(/^snoozed until .*05/);
});
