import { expect, test } from "vitest";
import { createEditRecorder, type Snapshot } from "./edit-recorder.ts";

function setUp() {
  const lines: string[] = [];
  const recorder = createEditRecorder(
    (line) => lines.push(line),
    () => 0,
  );
  return { ...recorder, lines, entries: () => lines.map((line) => JSON.parse(line)) };
}

const file = (text = "x = 1\n", changed: Partial<Snapshot> = {}): Snapshot => ({
  ...{ document: "file:a.py", path: "a.py", languageId: "python", text: () => text },
  ...changed,
});
const at = "1970-01-01T00:00:00.000Z";

test("a file is recorded as it was, and then edit by edit", () => {
  const { shown, changed, entries, lines } = setUp();
  shown(file());
  changed({ document: "file:a.py", offset: 4, length: 1, text: "2\n" });
  shown(file("x = 2\n\n"));
  expect(entries()).toEqual([
    { at, path: "a.py", languageId: "python", text: "x = 1\n" },
    { at, path: "a.py", offset: 4, length: 1, text: "2\n" },
  ]);
  expect(lines.some((line) => line.includes("\n"))).toBe(false);
});

test("files of several workspaces are told apart", () => {
  const { shown, changed, entries } = setUp();
  shown(file("", { workspace: "shop" }));
  changed({ document: "file:a.py", offset: 0, length: 0, text: "x" });
  expect(entries().map(({ workspace }) => workspace)).toEqual(["shop", "shop"]);
});

test("edits of files that were never shown are not recorded, nor of those that ended", () => {
  const { shown, changed, ended, entries } = setUp();
  changed({ document: "file:b.py", offset: 0, length: 0, text: "x" });
  shown(file());
  ended("file:a.py");
  changed({ document: "file:a.py", offset: 0, length: 0, text: "x" });
  expect(entries()).toHaveLength(1);
});

test("a file that is too large is not recorded", () => {
  const { shown, changed, lines } = setUp();
  shown(file("x".repeat(200_001)));
  changed({ document: "file:a.py", offset: 0, length: 0, text: "x" });
  expect(lines).toEqual([]);
});
