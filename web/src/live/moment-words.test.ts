import { expect, test, vi } from "vitest";
import type { Moment } from "./live-figures.ts";
import { momentWords } from "./moment-words.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const moment = (requests: number, p95: number): Moment => ({
  requests,
  times: new Map(p95 ? [["total", { p50: 1, p95 }]] : []),
});

test.each<[string, Moment[], string]>([
  ["before the first moment nothing is said of times", [], "0 completions in the last minute"],
  ["nor after one without a completion", [moment(0, 0)], "0 completions in the last minute"],
  [
    "one is one",
    [moment(1, 20), moment(0, 0)],
    "1 completion in the last minute; 95 % of the slowest 3 s within 20 ms",
  ],
  [
    "the slowest moment counts",
    [moment(2, 1_500), ...Array.from({ length: 39 }, () => moment(1, 20))],
    "41 completions in the last 2 minutes; 95 % of the slowest 3 s within 1.5 s",
  ],
])("%s", (_, moments, expected) => {
  expect(momentWords(moments, "total")).toBe(expected);
});
