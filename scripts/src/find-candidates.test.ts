import { expect, test } from "vitest";
import { findCandidates } from "./find-candidates.ts";

const tax = {
  path: "src/tax.ts",
  text: "/** VAT. */\nexport function computeVat(net: number) {\n  return net;\n}\n",
};

test("cuts a call of another file's function after the name's first word, and drops the rest of the line", () => {
  const use = {
    path: "src/invoice.ts",
    text: 'import { computeVat } from "./tax.ts";\nexport const gross = (net: number) => {\n  return net + computeVat(net);\n};\n',
  };
  expect(findCandidates([tax, use], 5)).toEqual([
    {
      path: "src/invoice.ts",
      line: 3,
      prefix:
        'import { computeVat } from "./tax.ts";\nexport const gross = (net: number) => {\n  return net + compute',
      suffix: "\n};\n",
      name: "computeVat",
      typed: "compute",
      definedIn: { path: "src/tax.ts", line: 2 },
    },
  ]);
});

test.each([
  ["calls inside the file that defines it", [{ ...tax, text: `${tax.text}computeVat(1);\n` }]],
  [
    "names that two files define",
    [tax, { ...tax, path: "src/b.ts" }, { path: "c.ts", text: "computeVat(1);\n" }],
  ],
  ["comments", [tax, { path: "c.ts", text: "// computeVat(1);\n" }]],
  ["comments of several lines", [tax, { path: "c.ts", text: "/*\n  computeVat(1);\n*/\n" }]],
  ["examples in docstrings", [tax, { path: "c.py", text: '"""Example:\n\n    computeVat(1)\n"""\n' }]],
  ["strings", [tax, { path: "c.ts", text: 'log("computeVat(1)");\n' }]],
  [
    "short names",
    [
      { path: "a.ts", text: "export function add() {}\n" },
      { path: "c.ts", text: "add(1);\n" },
    ],
  ],
])("leaves out %s", (_, files) => {
  expect(findCandidates(files, 5)).toEqual([]);
});

test.each([
  ["Python", "a.py", "def compute_vat(net):\n", "b.py", "x = compute_vat(1)\n", "compute"],
  ["Go", "a.go", "func (s *Shop) ComputeVat(net int) int {\n", "b.go", "\tx := s.ComputeVat(1)\n", "Compute"],
  ["Rust", "a.rs", "pub fn compute_vat(net: u32) -> u32 {\n", "b.rs", "let x = compute_vat(1);\n", "compute"],
  ["Java", "A.java", "public final class VatTable {\n", "B.java", "  t = new VatTable();\n", "Vat"],
  ["JavaScript", "a.js", "const computeVat = async (net) => {\n", "b.js", "computeVat(1);\n", "compute"],
])("finds calls in %s", (_, definition, definitionText, use, useText, typed) => {
  const files = [
    { path: definition, text: definitionText },
    { path: use, text: useText },
  ];
  expect(findCandidates(files, 5)).toMatchObject([
    { path: use, typed, definedIn: { path: definition, line: 1 } },
  ]);
});

test("puts names first that more files use, and tests last", () => {
  const files = [
    tax,
    { path: "src/log.ts", text: "export function writeLog(line: string) {}\n" },
    { path: "src/tax.test.ts", text: "expect(computeVat(1)).toBe(1);\n" },
    { path: "src/a.ts", text: "writeLog(1);\n" },
  ];
  const names = () => findCandidates(files, 5).map((c) => c.name);
  expect(names()).toEqual(["writeLog", "computeVat"]);
  files.push({ path: "src/b.ts", text: "computeVat(2);\n" }, { path: "src/c.ts", text: "computeVat(2);\n" });
  expect(names()).toEqual(["computeVat", "writeLog"]);
});

test("names of several words come before one that may be the platform's own, however often that is used", () => {
  const files = [
    { path: "a.ts", text: "export class Response {}\nexport function computeVat() {}\n" },
    { path: "b.ts", text: "new Response(1);\ncomputeVat(1);\n" },
    { path: "c.ts", text: "new Response(2);\n" },
  ];
  expect(findCandidates(files, 5).map((c) => c.name)).toEqual(["computeVat", "Response"]);
});
