/** The leg on files as the real chunker reads them. */
import { definitionsLeg } from "@dhi/server/retrieval/legs/definitions";
import { expect, test } from "vitest";
import { foundBy } from "../testing/leg-answers.ts";

/** Names, likeliest first, of what is found for the cursor in `path`. */
const names = async (files: Readonly<Record<string, string>>, path: string) =>
  (await foundBy(definitionsLeg, files, path)).map(({ path: place, name }) => `${place} ${name}`);

test("an import that is not used yet comes before one that is, and both before what only looks alike", async () => {
  const files = {
    "src/cart.ts": `import { cents, rounded } from "./money";
export function show(n: number) { return cents(n); }
export function total(n: number) {
  return █
}
`,
    "src/money.ts":
      "export function cents(n: number) {}\nexport function rounded(n: number) {}\nexport function other() {}\n",
    "src/far/away.ts": "export function show() {}\n",
  };
  expect(await names(files, "src/cart.ts")).toEqual(["src/money.ts rounded", "src/money.ts cents"]);
});

test("after a dot come the members of what stands before it, inherited ones too", async () => {
  const files = {
    "shop/cart.py": `from shop.invoice import Invoice
def pay(invoice: Invoice):
    invoice.█
`,
    "shop/invoice.py":
      "from shop.base import Document\nclass Invoice(Document):\n    def total(self): pass\n",
    "shop/base.py": "class Document:\n    def send(self): pass\n",
    "shop/other.py": "class Other:\n    def total_of_other(self): pass\n",
    "shop/__init__.py": "",
  };
  expect((await names(files, "shop/cart.py")).slice(0, 2).sort()).toEqual([
    "shop/base.py send",
    "shop/invoice.py total",
  ]);
});

test("after a module's name come its exports", async () => {
  const files = {
    "go.mod": "module example.com/shop\n",
    "main.go": 'package main\nimport "example.com/shop/money"\nfunc main() {\n\tmoney.█\n}\n',
    "money/money.go": "package money\nfunc Cents(n int) int { return n }\nfunc hidden() {}\n",
  };
  expect(await names(files, "main.go")).toEqual(["money/money.go Cents"]);
});

test("a variable that is called as a class is taken for one of it", async () => {
  const files = {
    "src/row.js": "export function render(tableLayout) {\n  tableLayout.█\n}\n",
    "src/layout.js": "export class TableLayout {\n  addObserver(o) {}\n}\n",
  };
  expect(await names(files, "src/row.js")).toContain("src/layout.js addObserver");
});

test("what follows the same calls elsewhere is found without being named or imported", async () => {
  const files = {
    "src/pay.py": "from src.db import begin\ndef pay():\n    begin()\n    █\n",
    "src/db.py": "def begin(): pass\ndef commit_all(): pass\n",
    "src/send.py": "from src.db import begin, commit_all\ndef send():\n    begin()\n    commit_all()\n",
  };
  expect(await names(files, "src/pay.py")).toContain("src/db.py commit_all");
});

test("a name that was begun comes first when it fits", async () => {
  const files = {
    "src/cart.ts": `import { cents, rounded } from "./money";
export const total = (n: number) => cen█
`,
    "src/money.ts": "export function cents(n: number) {}\nexport function rounded(n: number) {}\n",
  };
  expect(await names(files, "src/cart.ts")).toEqual(["src/money.ts cents", "src/money.ts rounded"]);
});

test("a name that was begun is found where nothing imports it", async () => {
  const files = {
    "src/cart.ts": "export const total = () => formatC█\n",
    "lib/format.ts": "export function formatCents() {}\n",
  };
  expect(await names(files, "src/cart.ts")).toEqual(["lib/format.ts formatCents"]);
});

test("languages do not answer for each other, and what the file defines itself is not looked for elsewhere", async () => {
  const files = {
    "a.go": "package a\nfunc own() {}\nfunc run() {\n\tparse()\n\town()\n\t█\n}\n",
    "b.py": "def parse(): pass\n",
    "c.go": "package a\nfunc parse() {}\n",
    "d/d.go": "package d\nfunc own() {}\n",
  };
  expect(await names(files, "a.go")).toEqual(["c.go parse"]);
});

test("a candidate is the definition's own lines, without a long comment and cut when it is long", async () => {
  const comment = ["/**", ...Array.from({ length: 8 }, (_, i) => ` * ${i}`), " */"].join("\n");
  const files = {
    "a.ts": 'import { total, long } from "./b";\n█\n',
    "b.ts": `const before = 1;\n${comment}\nexport function total(n: number) {\n  return n;\n}\nexport function long() {\n${"  step();\n".repeat(100)}}\n`,
  };
  const found = await foundBy(definitionsLeg, files, "a.ts");
  const total = found.find(({ name }) => name === "total");
  expect(total).toMatchObject({
    ...{ path: "b.ts", startLine: 2, endLine: 14, language: "typescript", kind: "function" },
    text: "export function total(n: number) {\n  return n;\n}",
    signature: "function total(n: number)",
  });
  expect(found.find(({ name }) => name === "long")).toMatchObject({ startLine: 15, endLine: 54 });
});

test("overloads are one candidate", async () => {
  const files = {
    "a.ts": 'import { total } from "./b";\n█\n',
    "b.ts":
      "export function total(n: number): number;\nexport function total(n: string): string;\nexport function total(n: unknown) { return n; }\n",
  };
  expect(await names(files, "a.ts")).toEqual(["b.ts total"]);
});

test("scores fall, and a language without a graph has none", async () => {
  const files = {
    "a.ts": 'import { x1, x2 } from "./b";\nx1();\n█\n',
    "b.ts": "export function x1() {}\nexport function x2() {}\n",
    "notes.md": "x1 █",
  };
  const scores = (await foundBy(definitionsLeg, files, "a.ts")).map(({ score }) => score);
  expect(scores).toHaveLength(2);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(await names({ ...files, "a.ts": "x1()" }, "notes.md")).toEqual([]);
});
