/** From source files, through TypeScript's language service and `index.db`, to what can follow a dot. */
import { symlinkSync } from "node:fs";
import { openIndexForWriting } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { createTypeReader } from "@dhi/indexer/typescript/type-reader";
import { createTypeTable } from "@dhi/indexer/typescript/type-table";
import { type Members, membersAt, signatureOf } from "@dhi/server/graph/members";
import { afterAll, describe, expect, test } from "vitest";

const reader = createTypeReader();
afterAll(reader.close);

interface Typed extends Disposable {
  members(expression: string): Members;
  /** Names of the members, sorted. */
  names(expression: string): string;
  signature(name: string): string | undefined;
}

/** @param files path → content; in one of them `█` marks the line of the expressions */
async function typed(
  files: Readonly<Record<string, string>>,
  prepare: (dir: string) => void = () => {},
): Promise<Typed> {
  const [path, marked] = Object.entries(files).find(([, text]) => text.includes("█"))!;
  using repo = tempRepo({ ...files, [path]: marked.replace("█", "") });
  prepare(repo.dir);
  const state = tempDir();
  const db = openIndexForWriting(state.dir);
  const table = createTypeTable(db);
  Object.keys(files).forEach((file, i) => {
    db.prepare("INSERT INTO live VALUES (?, ?, ?, 0)").run(file, i + 1, languageOf(file).id);
  });
  for (const file of table.survey()) {
    const answer = await reader.look({
      root: repo.dir,
      session: "s",
      path: file.path,
      epoch: 1,
      without: [],
    });
    table.write(file, answer, "");
  }
  const line = marked.slice(0, marked.indexOf("█")).split("\n").length;
  const members = (expression: string) => membersAt(db, { path, expression, line });
  return {
    members,
    names: (expression) =>
      members(expression)
        .members.map((m) => m.name)
        .sort()
        .join(" "),
    signature: (name) => signatureOf(db, { path, name }),
    [Symbol.dispose]() {
      db.close();
      state[Symbol.dispose]();
    },
  };
}

const invoice = `
import type { Customer } from "./customer";
export interface Line { sku: string; cents: number }
export class Invoice {
  readonly lines: Line[] = [];
  private tax = 1;
  #hidden = "";
  constructor(readonly customer: Customer) {}
  static parse(text: string): Invoice { throw text; }
  total(rate: number): number { return this.tax * rate; }
  add(line: Line): this { this.lines.push(line); return this; }
}
export async function load(id: string): Promise<Invoice> { throw id; }
`;
const customer = `export interface Customer { name: string; address: { street: string; zip?: string } }\n`;
const files = { "src/invoice.ts": invoice, "src/customer.ts": customer };
const settings = (options: object = {}) => ({
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      ...options,
    },
    include: ["src"],
  }),
});
const main = (code: string) => ({
  ...{ ...settings(), ...files },
  "src/main.ts": `import { Invoice, load, type Line } from "./invoice";\n${code}`,
});

test("an instance of a class in another file has its public members, with their signatures", async () => {
  using shop = await typed(main("const invoice = new Invoice({} as never);\n█"));
  expect(shop.members("invoice")).toEqual({
    type: "Invoice",
    from: "typescript",
    members: [
      { name: "lines", kind: "property", signature: "lines: Line[]" },
      { name: "customer", kind: "property", signature: "customer: Customer" },
      { name: "total", kind: "method", signature: "total(rate: number): number" },
      { name: "add", kind: "method", signature: "add(line: Line): Invoice" },
    ],
  });
});

describe("an expression is followed:", async () => {
  const code = `
    declare const invoice: Invoice, line: Line;
    const byId = new Map<string, Invoice>();
    const shop = { Invoice };
    const { customer: { address: { street } } } = invoice;
    const rows = invoice.lines.map((one) => { █return { name: one.sku, line: one }; });
    for (const value of byId.values()) console.log(value);
  `;
  const shop = await typed(main(code));
  afterAll(() => shop[Symbol.dispose]());
  const ofInvoice = "add customer lines total";
  const ofAddress = "{ street: string; zip?: string | undefined; }";

  test.each([
    ["a chain of properties", "invoice.customer.address", ofAddress, "street zip"],
    ["a chain of optional ones", "invoice?.customer!.address", ofAddress, "street zip"],
    ["an element of an array", "invoice.lines[0]", "Line", "cents sku"],
    ["what a method returns that returns this", "invoice.add(line)", "Invoice", ofInvoice],
    ["a call with brackets in its strings", 'invoice.add(")").customer', "Customer", "address name"],
    ["what an imported function's promise holds", "(await load('x'))", "Invoice", ofInvoice],
    ["the same without brackets", "await load('x')", "Invoice", ofInvoice],
    ["what new makes", "new Invoice(customer)", "Invoice", ofInvoice],
    ["what new makes of a member", "new shop.Invoice(customer)", "Invoice", ofInvoice],
    ["a class itself", "Invoice", "typeof Invoice", "parse"],
    ["a value of a map", "byId.get('x')", "Invoice", ofInvoice],
    ["the variable of a loop over a map's values", "value", "Invoice", ofInvoice],
    ["a parameter of a callback", "one", "Line", "cents sku"],
    ["an object without a named type", "rows[0]", "{ name: string; line: Line; }", "line name"],
    ["a method that is not called", "invoice.total", "total(rate: number): number", ""],
    ["a member that there is not", "invoice.nothing", "any", ""],
    ["a name that is not known", "nothing", null, ""],
    ["what is no such expression", "a + b", null, ""],
  ])("%s", (_, expression, type, names) => {
    expect(shop.members(expression).type).toBe(type);
    expect(shop.names(expression)).toBe(names);
  });

  test("members of a generic type name what its parameters stand for", () => {
    const signature = (name: string) => shop.members("byId").members.find((m) => m.name === name)?.signature;
    expect(signature("get")).toBe("get(key: string): Invoice | undefined");
    expect(signature("values")).toBe("values(): MapIterator<Invoice>");
    expect(shop.members("street").members.find((m) => m.name === "trim")?.signature).toBe("trim(): string");
  });

  test("an imported name has its signature", () => {
    expect(["load", "Invoice", "Line", "street"].map(shop.signature)).toEqual([
      "load(id: string): Promise<Invoice>",
      "class Invoice { constructor(customer: Customer) }",
      "interface Line { sku: string; cents: number }",
      undefined,
    ]);
  });
});

test("this has the private members too, also by another name", async () => {
  const inside = invoice.replace("return this.tax", "const self = this; █return this.tax");
  using shop = await typed({ ...settings(), ...files, "src/invoice.ts": inside });
  expect(shop.names("this")).toBe("#hidden add customer lines tax total");
  expect(shop.names("self")).toBe(shop.names("this"));
});

test("JavaScript is read by its JSDoc, without settings", async () => {
  const main = `const { load } = require("./load");
/** @param {import("./load").Order} order */
function print(order) {
  █
}
const made = load(1);
`;
  const load = `/** @typedef {{ id: number, paid: boolean }} Order */
/**
 * @param {number} id
 * @returns {Order}
 */
function load(id) { return { id, paid: true }; }
module.exports = { load };
`;
  using lib = await typed({ "lib/load.js": load, "lib/main.js": main });
  expect(lib.names("order")).toBe("id paid");
  expect(lib.names("made")).toBe("id paid");
  expect(lib.signature("load")).toBe("load(id: number): Order");
});

test("the script of a Vue component is read, on its own lines, and what a file imports from one", async () => {
  const cart = `<template><p>{{ invoice.total(1) }}</p></template>

<script setup lang="ts">
import { Invoice } from "./invoice";
import { limit } from "./Limit.vue";
const early = { line: 6 };
{
  const early = { line: 8 };
  █
}
const invoice = new Invoice({} as never);
</script>
<style>p { color: red }</style>
`;
  const limit = `<script lang="ts">export const limit = { most: 3 };</script>`;
  using shop = await typed({ ...settings(), ...files, "src/Cart.vue": cart, "src/Limit.vue": limit });
  expect(shop.members("invoice.customer").type).toBe("Customer");
  expect(shop.names("limit")).toBe("most");
  expect(shop.names("early")).toBe("line");
});

test("paths of tsconfig.json are followed", async () => {
  const options = { paths: { "@shop/*": ["./src/*"] } };
  const all = {
    ...settings(options),
    ...files,
    "src/deep/a.ts": `import { load } from "@shop/invoice";\n█`,
  };
  using shop = await typed(all);
  expect(shop.members("await load('x')").type).toBe("Invoice");
});

test("a project reference leads to sources that were never built", async () => {
  const files = {
    "tsconfig.json": JSON.stringify({ files: [], references: [{ path: "./core" }, { path: "./app" }] }),
    "core/tsconfig.json": JSON.stringify({
      compilerOptions: { composite: true, outDir: "dist", rootDir: "src", module: "nodenext" },
    }),
    "core/package.json": JSON.stringify({ name: "core", type: "module", exports: "./dist/invoice.js" }),
    "core/src/invoice.ts": `export const limit = { most: 3 };\n`,
    "app/tsconfig.json": JSON.stringify({
      ...{ compilerOptions: { module: "nodenext", outDir: "dist" }, references: [{ path: "../core" }] },
    }),
    "app/package.json": JSON.stringify({ type: "module", dependencies: { core: "*" } }),
    "app/node_modules/core/package.json": JSON.stringify({
      name: "core",
      exports: "../../../core/src/invoice.ts",
    }),
    "app/main.ts": `import { limit } from "../core/dist/invoice.js";\n█`,
  };
  using shop = await typed(files);
  expect(shop.names("limit")).toBe("most");
});

test.each([
  ["settings that are no JSON", { "tsconfig.json": "{ compilerOptions: [" }],
  [
    "settings that extend what is missing",
    { "tsconfig.json": `{ "extends": "./nowhere.json", "include": ["src"] }` },
  ],
  ["settings that include nothing", { "tsconfig.json": `{ "include": ["elsewhere"] }` }],
])("%s cost no answer", async (_, broken) => {
  using shop = await typed({ ...main("const invoice = new Invoice({} as never);\n█"), ...broken });
  expect(shop.names("invoice")).toBe("add customer lines total");
});

test("a file with errors says what it can", async () => {
  const code = `const invoice = new Invoice(1, 2);\nconst broken = nowhere.at.all;\ninvoice.█\nfunction (`;
  using shop = await typed(main(code));
  expect(shop.names("invoice")).toBe("add customer lines total");
  expect(shop.members("broken")).toEqual({ type: "any", from: "typescript", members: [] });
});

test("code outside the workspace is not read, whatever settings, imports and links name", async () => {
  const code = "export const secret = { token: 1 };\n";
  using outside = tempRepo({ "secret.ts": code, "node_modules/other/index.ts": code });
  const files = {
    "tsconfig.json": JSON.stringify({ files: ["main.ts", `${outside.dir}/secret.ts`] }),
    "main.ts": `import { secret } from "${outside.dir}/secret";
import { secret as other } from "${outside.dir}/node_modules/other/index";
import { secret as linked } from "./linked";
█`,
  };
  using shop = await typed(files, (dir) => symlinkSync(`${outside.dir}/secret.ts`, `${dir}/linked.ts`));
  for (const name of ["secret", "other", "linked"])
    expect(shop.members(name)).toEqual({ type: "any", from: "typescript", members: [] });
});
