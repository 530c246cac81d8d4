import { expect, test } from "vitest";
import { readDiff } from "./commits.ts";

test("reads where lines were added, in renamed and new files too, and which ones went", () => {
  const diff = `diff --git a/old.ts b/new.ts
similarity index 90%
rename from old.ts
rename to new.ts
--- a/old.ts
+++ b/new.ts
@@ -3,1 +3,2 @@ function total() {
-  return a;
+  const sum = a + b;
+++ counts as a line;
@@ -9,2 +10,0 @@
---- not a header
-gone();
diff --git a/fresh.ts b/fresh.ts
new file mode 100644
--- /dev/null
+++ b/fresh.ts
@@ -0,0 +1 @@
+export {};
\\ No newline at end of file
`;
  expect(readDiff(diff)).toEqual({
    runs: [
      { path: "new.ts", pathBefore: "old.ts", start: 2, lines: 2 },
      { path: "fresh.ts", pathBefore: undefined, start: 0, lines: 1 },
    ],
    removed: new Set(["return a;", "--- not a header", "gone();"]),
  });
});
