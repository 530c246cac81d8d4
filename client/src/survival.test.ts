import { expect, test } from "vitest";
import { createSurvival, type SurvivedEvent } from "./survival.ts";

const MINUTE = 60_000;

/** `x = total(a);` of which `total(a)` was accepted at time 0. */
function setUp() {
  const told: SurvivedEvent[] = [];
  let code: string | undefined = "x = total(a);";
  const read = (_: string, start: number, end: number) => code?.slice(start, end);
  const survival = createSurvival({ tell: (event) => told.push(event), read });
  const about = { requestId: "r1", languageId: "python", document: "a.py" };
  survival.accepted({ ...about, offset: 4, text: "total(a)" }, 0);
  return {
    survival,
    about,
    kept: () => told.map(({ afterMs, kept }) => [afterMs, kept]),
    told,
    edit(offset: number, length: number, text: string) {
      code = code && code.slice(0, offset) + text + code.slice(offset + length);
      survival.changed({ document: "a.py", offset, length, text });
    },
    close: () => (code = undefined),
    check: (...at: number[]) => at.forEach(survival.check),
  };
}

test("tells four times what is left, and then no more", () => {
  const { survival, check, told, kept } = setUp();
  expect(survival.nextAt()).toBe(30_000);
  check(29_999);
  expect(told).toEqual([]);
  check(30_000);
  expect(told).toEqual([
    { event: "survived", requestId: "r1", languageId: "python", afterMs: 30_000, kept: 1 },
  ]);
  check(2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE);
  expect(kept().map(([afterMs]) => afterMs)).toEqual([30_000, 120_000, 300_000, 600_000]);
  expect(survival.nextAt()).toBeUndefined();
});

test.each<[string, [number, number, string][], number]>([
  ["edits before it move it", [[0, 1, "value"]], 1],
  ["edits behind it leave it", [[12, 1, " + 1;"]], 1],
  ["edits in it count", [[10, 1, "b"]], 7 / 8],
  ["what was put in counts", [[10, 0, "a, "]], 5 / 8],
  ["deleting it with the line leaves nothing", [[0, 13, ""]], 0],
  ["deleting from outside into it leaves the rest", [[0, 6, ""]], 6 / 8],
  [
    "several edits add up",
    [
      [0, 1, "value"],
      [14, 1, "b"],
      [9, 0, "s"],
    ],
    6 / 8,
  ],
])("%s", (_, edits, expected) => {
  const { edit, check, kept } = setUp();
  for (const one of edits) edit(...one);
  check(30_000);
  expect(kept()).toEqual([[30_000, expected]]);
});

test("parts of one suggestion are one text", () => {
  const { survival, about, check, kept, edit } = setUp();
  edit(12, 0, " + 1");
  survival.accepted({ ...about, offset: 12, text: " + 1" }, 1_000);
  edit(10, 1, "b");
  check(30_000);
  expect(kept()).toEqual([[30_000, 11 / 12]]);
});

test("a part that the editor puts in again with the rest is one text with it", () => {
  const { survival, about, check, told, kept, edit } = setUp();
  edit(4, 8, "total(a) + 1");
  survival.accepted({ ...about, offset: 4, text: "total(a) + 1" }, 1_000);
  edit(10, 1, "b");
  check(30_000);
  expect([told.length, kept()]).toEqual([1, [[30_000, 11 / 12]]]);
});

test("edits of other documents leave it", () => {
  const { survival, check, kept } = setUp();
  survival.changed({ document: "b.py", offset: 0, length: 13, text: "" });
  check(30_000);
  expect(kept()).toEqual([[30_000, 1]]);
});

test("a document that was closed is followed no further", () => {
  const { survival, check, close, told } = setUp();
  close();
  check(30_000);
  expect([told, survival.nextAt()]).toEqual([[], undefined]);
});

test("no more than fifty are followed", () => {
  const { survival, about, check, told } = setUp();
  for (let i = 0; i < 60; i++) survival.accepted({ ...about, requestId: `s${i}`, offset: 0, text: "x" }, 0);
  check(30_000);
  expect([told.length, told[0]?.requestId]).toEqual([50, "s10"]);
});
