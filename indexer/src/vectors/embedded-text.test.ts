import { expect, test } from "vitest";
import { analyze, statements } from "../chunker/testing/render.ts";
import { embeddedText } from "./embedded-text.ts";

test("starts with path, container and signature", () => {
  const chunk = {
    path: "src/a.ts",
    container: "Billing.Invoice",
    signature: "total(): number",
    text: "total() {}\n",
  };
  expect(embeddedText(chunk)).toBe("src/a.ts\nBilling.Invoice\ntotal(): number\ntotal() {}\n");
});

test("leaves out what a chunk does not have", () => {
  expect(embeddedText({ path: "a.md", container: null, signature: null, text: "# A" })).toBe("a.md\n# A");
});

/** Definitions of about 400 characters each: enough to be chunks of their own, and for a class to be parted. */
const body = statements(400, "    ");
const lines = statements(400, "    ", "");

test.each([
  [
    "a.ts",
    `/** Doc. */
export class Big<T> extends Base {
  limit = 1;
  run(first: T): void {
${statements(2_500, "    ")}
  }
  stop() {
${body}
  }
}
namespace Tax { export function rate(of: string) {
${body}
} }
`,
    [
      "class Big<T> extends Base",
      "Big | run(first: T): void",
      "Big | run(first: T): void",
      "Big | stop()",
      "namespace Tax",
    ],
  ],
  [
    "a.py",
    `class Big(Base):
    def run(self, first: int) -> None:
${statements(2_500, "        ", "")}
    def stop(self):
${lines.replaceAll("    ", "        ")}
`,
    [
      "class Big(Base)",
      "Big | def run(self, first: int) -> None",
      "Big | def run(self, first: int) -> None",
      "Big | def stop(self)",
    ],
  ],
  [
    "a.go",
    `func (b *Big[T]) Run(first T) error {\n${lines}\n}\n`,
    ["Big | func (b *Big[T]) Run(first T) error"],
  ],
  ["a.rs", `impl Show for Big {\n fn show(&self) {\n${body}\n }\n}\n`, ["impl Show for Big"]],
  ["A.java", `public class Big {\n  void run() {\n${body}\n  }\n}\n`, ["public class Big"]],
  [
    "a.vue",
    `<script>\nexport default {\n methods: {\n  run() {\n${statements(1_500)}\n  },\n  stop() {\n${statements(1_500)}\n  },\n },\n};\n</script>\n`,
    ["", "methods", "methods | run()", "methods | stop()"],
  ],
  [
    "a.ipynb",
    JSON.stringify({ cells: [{ cell_type: "code", source: `def total(lines):\n${lines}\n` }] }),
    ["cell 1 | def total(lines)"],
  ],
])(
  "says of each chunk of %s, parts of a definition too, where it stands and what it is",
  (path, text, expected) => {
    const heads = analyze(path, text).chunks.map(({ container, signature, text, searchText }) => {
      const own = searchText ?? text;
      const embedded = embeddedText({ path, container, signature, text: own });
      expect(embedded.endsWith(`\n${own}`)).toBe(true);
      return embedded.slice(0, -own.length - 1).split("\n");
    });
    expect(heads.map(([head]) => head)).toEqual(heads.map(() => path));
    expect(heads.map(([, ...rest]) => rest.join(" | "))).toEqual(expected);
  },
);
