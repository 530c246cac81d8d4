import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { nearbyFiles } from "./nearby-files.ts";

function nearby(
  path: string,
  paths: readonly string[],
  limit = 16,
  imports: readonly string[] = [],
): string[] {
  using home = tempDir();
  const db = seedIndex(
    home.dir,
    paths.map((p) => ({ path: p, text: p })),
  );
  const blob = db.prepare("SELECT blob_id FROM live WHERE path = ?").pluck().get(path);
  imports.forEach((specifier, i) => {
    db.prepare("INSERT INTO imports VALUES (?, ?, ?, 'x', 'x', 1, 0)").run(blob, i, specifier);
  });
  const found = nearbyFiles(db, path, limit);
  db.close();
  return found;
}

test("files with words of the name come before other neighbours; folders below and above are not near", () => {
  const paths = [
    "src/a.ts",
    "src/order-service.ts",
    "src/user-service.ts",
    "src/deep/user-service.ts",
    "user.ts",
  ];
  expect(nearby("src/user-service.ts", paths)).toEqual(["src/order-service.ts", "src/a.ts"]);
});

test("what the file imports is near wherever it lies", () => {
  expect(nearby("src/a.ts", ["src/a.ts", "src/b.ts", "lib/c.ts"], 16, ["../lib/c"])).toEqual([
    "src/b.ts",
    "lib/c.ts",
  ]);
});

test("of a large folder only so many are given, the nearest by name when all are of one kind", () => {
  const paths = Array.from({ length: 300 }, (_, i) => `src/f${String(i).padStart(3, "0")}.ts`);
  expect(nearby("src/f150.ts", paths, 4)).toEqual([
    "src/f149.ts",
    "src/f151.ts",
    "src/f148.ts",
    "src/f152.ts",
  ]);
});

test("a file in the root and one that is not in the index have neighbours too", () => {
  expect(nearby("a.ts", ["b.ts", "src/c.ts"])).toEqual(["b.ts"]);
});
