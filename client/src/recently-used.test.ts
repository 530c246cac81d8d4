import { expect, test } from "vitest";
import { createRecentlyUsed } from "./recently-used.ts";

test("the last used is first, each stands once, and the longest unused makes room", () => {
  const files = createRecentlyUsed(3);
  for (const path of ["a", "b", "c", "a", "d"]) files.used(path);
  expect(files.list()).toEqual(["d", "a", "c"]);
  files.closed("a");
  expect(files.list()).toEqual(["d", "c"]);
});
