import { expect, test } from "vitest";
import { createStopFilter } from "./stop-filter.ts";

test.each([
  ["passes text without a stop on at once", ["const ", "a"], ["<|", "END"], ["const ", "a"], ""],
  ["ends before the stop", ["a<END>b", "c"], ["<END>"], ["a", ""], ""],
  ["finds a stop that is cut into pieces", ["a<", "EN", "D>b"], ["<END>"], ["a", "", ""], ""],
  ["gives back what only looked like one", ["a<", "b"], ["<END>"], ["a", "<b"], ""],
  ["holds the end back that may become one", ["a\n"], ["\n\n"], ["a"], "\n"],
  ["takes the first of several stops", ["a;b\nc"], ["\n", ";"], ["a"], ""],
  ["needs no stops", ["a", "b"], [], ["a", "b"], ""],
])("%s", (_, pieces, stops, expected, rest) => {
  const filter = createStopFilter(stops);
  expect(pieces.map((piece) => filter.push(piece))).toEqual(expected);
  expect(filter.rest()).toBe(rest);
});

test("tells that a stop was found", () => {
  const filter = createStopFilter(["\n"]);
  filter.push("a");
  expect(filter.stopped).toBe(false);
  filter.push("b\nc");
  expect(filter.stopped).toBe(true);
});
