import { expect, test } from "vitest";
import { OpenFileReader } from "./open-file.ts";
import { Vocabulary } from "./vocabulary.ts";

test("of a line of megabytes only the end is read", () => {
  const reader = new OpenFileReader(new Vocabulary());
  const { tail } = reader.read(`${"a.".repeat(1_000_000)}near(`, "");
  expect(tail.endsWith("a.near(")).toBe(true);
  expect(tail.length).toBeLessThanOrEqual(64 * 1024);
});
