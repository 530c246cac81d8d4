import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { insertionsOf } from "./insertion.ts";

test("cuts what a commit added in one place out of the file it made", () => {
  using repo = tempRepo({ "a.ts": "one\nsix\n", "notes.md": "x\n" });
  repo.commit();
  repo.write("a.ts", "one\ntwo\nthree\nfour\nfive\nsix\n");
  repo.write("notes.md", "x\n1\n2\n3\n4\n");
  repo.commit();
  expect(insertionsOf(repo.dir, { count: 5, seed: 1 })).toEqual([
    { path: "a.ts", before: "one\n", lines: "two\nthree\nfour\nfive", after: "\nsix\n" },
  ]);
});
