import type { IndexDb } from "@dhi/core/index-db";
import { callersAnswer, symbolsAnswer } from "@dhi/server/graph/answers";
import {
  type CalleeQuery,
  type CallerQuery,
  searchCallees,
  searchCallers,
} from "@dhi/server/graph/call-graph";
import { qualified } from "@dhi/server/graph/tree";
import { createWorkspaces } from "@dhi/server/workspaces";
import { expect, test } from "vitest";
import { indexedFiles } from "../testing/indexed-files.ts";
import { searched } from "../testing/searched.ts";

const callersOf = (db: IndexDb, query: CallerQuery) => searched(searchCallers(db, query));
const calleesOf = (db: IndexDb, query: CalleeQuery) => searched(searchCallees(db, query));

const shop = {
  "money.ts":
    "export function format(cents: number) { return digits(cents); }\nfunction digits(n: number) {}\n",
  "invoice.ts": `import { format } from "./money";
export class Invoice {
  total() { return this.sum(); }
  sum() {}
  label() {
    const inner = () => format(this.total());
    return inner() + format(1) + external();
  }
}
export class Order { total() {} }
`,
  "index.ts": `export { format as money } from "./money";`,
  "app.ts": `import { Invoice } from "./invoice";
import { money } from "./index";
money(1);
export function pay(invoice: Invoice) { return invoice.total(); }
`,
  "other.ts": "import { format } from 'date-fns';\nformat(1); unknown.total();\n",
  "same.py": "from money import format\nformat(1)\n",
};

const render = (callers: ReturnType<typeof callersOf>) =>
  callers.map((c) => `${c.path}:${c.line} ${c.kind} in ${c.enclosing} (${c.confidence})`);

test("callers: same file, importers, importers under another name; not those of a namesake elsewhere", () => {
  using index = indexedFiles(shop);
  expect(render(callersOf(index.db, { path: "money.ts", name: "format" }))).toEqual([
    "invoice.ts:6 call in Invoice.label.inner (exact)",
    "invoice.ts:7 call in Invoice.label (exact)",
    "app.ts:3 call in null (imported)",
  ]);
  expect(render(callersOf(index.db, { path: "money.ts", name: "digits" }))).toEqual([
    "money.ts:1 call in format (exact)",
  ]);
});

test("callers: a method by itself, or of one class", () => {
  using index = indexedFiles(shop);
  expect(render(callersOf(index.db, { path: "invoice.ts", name: "Invoice.total" }))).toEqual([
    "invoice.ts:6 call in Invoice.label.inner (exact)",
    "app.ts:4 call in pay (imported)",
    "other.ts:2 call in null (name)",
  ]);
  expect(render(callersOf(index.db, { path: "invoice.ts", name: "Order.total" }))).toEqual([
    "other.ts:2 call in null (name)",
  ]);
  expect(callersOf(index.db, { path: "invoice.ts", name: "total", limit: 1 })).toHaveLength(1);
  expect(callersOf(index.db, { path: "invoice.ts", name: "gone" })).toEqual([]);
  expect(callersOf(index.db, { path: "gone.ts", name: "total" })).toEqual([]);
});

test("callers: the scripts of components and the cells of notebooks", () => {
  const cells = ["from money import tax\n\ndef half(n):\n    return tax(n) / 2", "half(2)"];
  using index = indexedFiles({
    "money.py": "def tax(n): pass\n",
    "report.ipynb": JSON.stringify(
      { cells: cells.map((source) => ({ cell_type: "code", source })) },
      null,
      1,
    ),
    "money.ts": "export function format(n: number) {}\n",
    "page.astro": '---\nimport { format } from "./money";\nformat(1);\n---\n<p>1</p>\n',
    "page.vue": '<script setup>\nimport { format } from "./money";\nformat(1);\n</script>\n',
    "page.svelte": '<script>\n  import { format } from "./money";\n  format(1);\n</script>\n',
  });
  expect(render(callersOf(index.db, { path: "money.py", name: "tax" }))).toEqual([
    "report.ipynb:5 call in half (exact)",
  ]);
  expect(render(callersOf(index.db, { path: "report.ipynb", name: "half" }))).toEqual([
    "report.ipynb:9 call in null (exact)",
  ]);
  expect(render(callersOf(index.db, { path: "money.ts", name: "format" }))).toEqual([
    "page.astro:3 call in null (exact)",
    "page.svelte:3 call in null (exact)",
    "page.vue:3 call in null (exact)",
  ]);
});

test("callees: what a definition uses, with what is nested in it, itself left out", () => {
  using index = indexedFiles({
    ...shop,
    "loop.ts": "function again() { again(); }\nfunction agains() { again(); }",
  });
  const callees = (path: string, enclosing: string) =>
    calleesOf(index.db, { path, enclosing }).map(
      (c) => `${c.line} ${c.kind} ${c.definition.path} ${qualified(c.definition)} (${c.confidence})`,
    );
  expect(callees("invoice.ts", "Invoice.label")).toEqual([
    "6 call money.ts format (exact)",
    "6 call invoice.ts Invoice.total (exact)",
  ]);
  expect(callees("app.ts", "pay")).toEqual([
    "4 type invoice.ts Invoice (exact)",
    "4 call invoice.ts Invoice.total (imported)",
  ]);
  expect(callees("loop.ts", "again")).toEqual([]);
  expect(callees("loop.ts", "agains")).toEqual(["2 call loop.ts again (exact)"]);
});

test("what is not resolved in time is left out", () => {
  using index = indexedFiles(shop);
  expect(searched(searchCallers(index.db, { path: "money.ts", name: "format" }), true)).toEqual([]);
  expect(searched(searchCallees(index.db, { path: "money.ts", enclosing: "format" }), true)).toEqual([]);
});

test("of a common name only some rows are looked at, and those of the same file always", () => {
  using index = indexedFiles({
    "a.ts": "export function f() {}\nf();",
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`b${i}.ts`, `import { f } from "./a";\nf(); // ${i}`]),
    ),
  });
  const callers = callersOf(index.db, { path: "a.ts", name: "f", maxRows: 5 });
  expect(callers.map((c) => c.path).sort()).toHaveLength(6);
  expect(callers[0]).toMatchObject({ path: "a.ts", line: 2 });
});

test("of a common name those nearby are looked at before the others", () => {
  const calls = (folder: string) =>
    Array.from({ length: 20 }, (_, i) => [
      `${folder}/b${i}.ts`,
      `import { f } from "./a";\nf(); // ${folder} ${i}`,
    ]);
  using index = indexedFiles({
    ...Object.fromEntries(calls("far")),
    ...{ "far/a.ts": "export function f() {}", "near/a.ts": "export function f() {} //" },
    ...Object.fromEntries(calls("near")),
  });
  const callers = callersOf(index.db, { path: "near/a.ts", name: "f", maxRows: 5 });
  expect(callers.map((c) => c.confidence)).toEqual(Array(5).fill("exact"));
});

test("what is known of the tree is forgotten when the index changes", () => {
  using index = indexedFiles(shop);
  const format = () => render(callersOf(index.db, { path: "money.ts", name: "format", limit: 1 }));
  expect(format()).toEqual(["invoice.ts:6 call in Invoice.label.inner (exact)"]);
  index.put({ "invoice.ts": "", "new.ts": `import * as m from "./money";\nm.format(2);\n` });
  expect(format()).toEqual(["app.ts:3 call in null (imported)"]);
  expect(render(callersOf(index.db, { path: "money.ts", name: "format" }))).toEqual([
    "app.ts:3 call in null (imported)",
    "new.ts:2 call in null (imported)",
  ]);
});

test("the answers of the API", async () => {
  using index = indexedFiles(shop);
  const workspaces = createWorkspaces([
    { name: "shop", path: "/work/shop", roots: ["/work/shop"], index: { get: () => index.db, close() {} } },
  ] as unknown as Parameters<typeof createWorkspaces>[0]);
  expect(symbolsAnswer({ name: "format", limit: 5 }, workspaces)).toEqual({
    symbols: [
      {
        ...{ name: "format", kind: "function", signature: "function format(cents: number)", container: null },
        ...{ path: "money.ts", startLine: 1, endLine: 1, exported: true },
      },
    ],
  });
  expect(symbolsAnswer({ name: "total", limit: 1 }, workspaces).symbols).toHaveLength(1);
  expect(symbolsAnswer({ name: "gone", limit: 5 }, workspaces)).toEqual({ symbols: [] });
  const asked = { path: "/work/shop/money.ts", name: "format", limit: 2 };
  expect(await callersAnswer(asked, workspaces)).toEqual({
    definitions: symbolsAnswer({ name: "format", limit: 5 }, workspaces).symbols,
    callers: [
      { path: "invoice.ts", line: 6, enclosing: "Invoice.label.inner", kind: "call", confidence: "exact" },
      { path: "invoice.ts", line: 7, enclosing: "Invoice.label", kind: "call", confidence: "exact" },
    ],
    callees: [
      {
        ...{ path: "money.ts", name: "digits", container: null, startLine: 2 },
        ...{ line: 1, kind: "call", confidence: "exact" },
      },
    ],
  });
  await expect(callersAnswer({ ...asked, name: "gone" }, workspaces)).rejects.toThrow(
    `does not define "gone"`,
  );
  await expect(callersAnswer({ ...asked, path: "gone.ts" }, workspaces)).rejects.toThrow(
    "is not in the index",
  );
  await expect(callersAnswer({ ...asked, path: "/etc/passwd" }, workspaces)).rejects.toThrow("outside");
  expect(() => symbolsAnswer({ workspace: "other", name: "x", limit: 1 }, workspaces)).toThrow("other");
});
