import { expect, test } from "vitest";
import { interleaved } from "./interleaved.ts";

test("packages take turns", () => {
  const items = ["a1", "a2", "a3", "b1", "c1", "c2"].map((id) => ({
    id,
    cursor: { package: id.slice(0, 1) },
  }));
  expect(interleaved(items).map(({ id }) => id)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  expect(interleaved([])).toEqual([]);
});
