import { expect, test } from "vitest";
import { withoutConflictMarkers } from "./conflict-markers.ts";
import { analyze } from "./testing/render.ts";

test.each([
  ["a.ts", (name: string) => `export function ${name}(a: number) { return before(); }`],
  ["a.js", (name: string) => `export const ${name} = (a) => before();`],
  ["a.go", (name: string) => `func ${name}(a int) int { return before() }`],
  ["a.rs", (name: string) => `pub fn ${name}(a: i32) -> i32 { before() }`],
  ["a.py", (name: string) => `def ${name}(a):\n    return before()`],
])("%s: the definitions of all sides of a conflict are found", (path, write) => {
  const conflict = [
    write("first"),
    ...["<<<<<<< HEAD", write("ours"), "||||||| 1f3a", write("base")],
    ...["=======", write("theirs"), ">>>>>>> feature/tax"],
    write("last"),
  ];
  for (const end of ["\n", "\r\n"]) {
    const text = conflict.join("\n").replaceAll("\n", end);
    const { chunks, symbols, references } = analyze(path, text);
    const all = ["first", "ours", "base", "theirs", "last"];
    expect(symbols.map(({ name }) => name)).toEqual(all);
    expect(references.filter(({ name }) => name === "before").map(({ enclosing }) => enclosing)).toEqual(all);
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
  }
});

test("what only looks like a marker stays", () => {
  const heading = "Title\n=======\n";
  expect(withoutConflictMarkers(heading)).toBe(heading);
  const inside = "a <<<<<<< b\n>>>>>>>c\n";
  expect(withoutConflictMarkers(inside)).toBe(inside);
});
