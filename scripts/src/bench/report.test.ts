import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { describeFigure, isRecorded, record } from "./report.ts";

const saving = { name: "saving", head: "# Saving\n", titles: { save: "From a save", switch: "Switching" } };
const p95 = (value: number) => ({
  figures: [{ what: "save, p95", value, unit: "ms", limit: 100 }],
  notes: ["As it was."],
});
const written = (dir: string) => ({
  json: JSON.parse(readFileSync(join(dir, "docs/bench/saving.json"), "utf8")),
  markdown: readFileSync(join(dir, "docs/bench/saving.md"), "utf8"),
});

test("keeps what was measured of other parts and sizes, and replaces what was measured of the same", () => {
  using repo = tempRepo({ "a.txt": "a\n" });
  repo.commit();
  record(repo.dir, saving, { part: "switch", files: 1000, ...p95(1) });
  record(repo.dir, saving, { part: "save", files: 10_000, ...p95(2) });
  record(repo.dir, saving, { part: "save", files: 1000, ...p95(3) });
  record(repo.dir, saving, { part: "save", files: 10_000, ...p95(84.56) });
  const { json, markdown } = written(repo.dir);
  expect(
    json.measurements.map((m: { part: string; files: number; figures: { value: number }[] }) => [
      ...[m.part, m.files, m.figures[0]?.value],
    ]),
  ).toEqual([
    ["save", 1000, 3],
    ["save", 10_000, 84.56],
    ["switch", 1000, 1],
  ]);
  expect(markdown).toContain("| save, p95 | 84.6 ms | 100 |\n");
  expect(markdown).toContain("As it was.\n");
  expect(markdown.match(/^# .*|^## .*/gm)).toEqual([
    "# Saving",
    "## From a save, 1000 files",
    "## From a save, 10000 files",
    "## Switching, 1000 files",
  ]);
});

test("says which limit was missed", () => {
  using repo = tempRepo();
  repo.commit();
  record(repo.dir, saving, { part: "save", files: 1000, ...p95(250) });
  expect(written(repo.dir).markdown).toContain("| save, p95 | 250 ms | 100 **missed** |");
  expect([describeFigure(p95(250).figures[0]!), describeFigure(p95(99).figures[0]!)]).toEqual([
    ...["save, p95: 250 ms (≤ 100, MISSED)", "save, p95: 99 ms (≤ 100)"],
  ]);
});

test("a part is measured once for each commit, and always again while there are changes", () => {
  using repo = tempRepo({ "a.txt": "a\n" });
  repo.commit();
  expect(isRecorded(repo.dir, saving, "save", 1000)).toBe(false);
  record(repo.dir, saving, { part: "save", files: 1000, ...p95(1) });
  expect([isRecorded(repo.dir, saving, "save", 1000), isRecorded(repo.dir, saving, "save", 10)]).toEqual([
    true,
    false,
  ]);
  repo.write("a.txt", "b\n");
  expect(isRecorded(repo.dir, saving, "save", 1000)).toBe(false);
  record(repo.dir, saving, { part: "save", files: 1000, ...p95(1) });
  expect(written(repo.dir).json.measurements[0].commit).toMatch(/ with changes$/);
  repo.commit();
  expect(isRecorded(repo.dir, saving, "save", 1000)).toBe(false);
});
