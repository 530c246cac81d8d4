import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { logTail } from "./log-tail.ts";

test("begins where the process began, and reads JSON and colours for you", () => {
  using temp = tempDir();
  const file = join(temp.dir, "a.log");
  writeFileSync(file, "words of an earlier process\n");
  const from = statSync(file).size;
  expect(logTail(file, from)).toBe("  | (nothing)");
  appendFileSync(
    file,
    [
      '{"level":30,"msg":"listening"}',
      '{"level":50,"err":{"message":"disk full","stack":"…"},"msg":"sync failed"}',
      "\u001b[38;5;203mred\u001b[0m",
      "",
      '{"no":"message"}',
      "bad settings:",
    ].join("\n"),
  );
  expect(logTail(file, from)).toBe(
    [
      "  | listening",
      "  | sync failed: disk full",
      "  | red",
      '  | {"no":"message"}',
      "  | bad settings:",
    ].join("\n"),
  );
});

test("shows the last twelve lines", () => {
  using temp = tempDir();
  const file = join(temp.dir, "a.log");
  writeFileSync(file, Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(""));
  expect(logTail(file, 0).split("\n")).toEqual(Array.from({ length: 12 }, (_, i) => `  | line ${i + 8}`));
});
