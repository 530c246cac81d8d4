import { expect, test } from "vitest";
import { layOut } from "./likelihood-layout.ts";

const cursor = { path: "app/main.py", prefix: "import shop\n\ntotal = ", continuation: "shop.total()" };

test("snippets stand first, each beneath its path, then the open file's path and text", () => {
  const snippets = [
    { path: "shop.py", startLine: 1, endLine: 2, text: "def total():\n    return 1\n" },
    { path: "app/cart.py", startLine: 7, endLine: 7, text: "class Cart: ..." },
  ];
  expect(layOut(cursor, snippets)).toEqual({
    context: `# app/cart.py
class Cart: ...

# shop.py
def total():
    return 1

`,
    open: "# app/main.py\nimport shop\n\ntotal = ",
    continuation: "shop.total()",
  });
});

test("snippets stand in the order of paths and lines, whichever was found first", () => {
  const snippets = [
    { path: "b.go", startLine: 20, endLine: 20, text: "second" },
    { path: "a.go", startLine: 90, endLine: 90, text: "x" },
    { path: "b.go", startLine: 3, endLine: 3, text: "first" },
  ];
  const { context } = layOut({ ...cursor, path: "main.go" }, snippets);
  expect(context).toBe("// a.go\nx\n\n// b.go\nfirst\n\n// b.go\nsecond\n\n");
});

test("without snippets there is no context", () => {
  expect(layOut(cursor, []).context).toBe("");
});

test("of a long prefix the last whole lines of 640 characters stay", () => {
  const lines = Array.from({ length: 200 }, (_, i) => `value_${String(i).padStart(3, "0")} = ${i}`);
  const { open } = layOut({ ...cursor, prefix: `${lines.join("\n")}\nx = ` }, []);
  expect(open).toBe(`# app/main.py\n${lines.slice(-39).join("\n")}\nx = `);
});

test("of a long line its end stays", () => {
  const { open } = layOut({ ...cursor, prefix: `${"a".repeat(700)}\n${"b".repeat(1_000)}` }, []);
  expect(open).toBe(`# app/main.py\n${"b".repeat(640)}`);
});
