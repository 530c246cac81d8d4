import { expect, test } from "vitest";
import { toWorkspacePath } from "./workspace-path.ts";

test.each([
  ["src/a.ts", "src/a.ts"],
  ["./src/../src/a.ts", "src/a.ts"],
  ["/work/repo/src/a.ts", "src/a.ts"],
  ["src\\a.ts", "src/a.ts"],
  [".", ""],
  ["..a/b", "..a/b"],
  ["../other/a.ts", undefined],
  ["/etc/passwd", undefined],
  ["src/../../a", undefined],
  ["/work/repo-two/a.ts", undefined],
  ["C:\\work\\a.ts", undefined],
  ["c:/work/a.ts", undefined],
  ["file:///work/repo/a.ts", undefined],
  ["src/a:b.ts", "src/a:b.ts"],
])("%s in /work/repo is %s", (path, expected) => {
  expect(toWorkspacePath("/work/repo", path)).toBe(expected);
});
