import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const targets = (files: Record<string, string>, path: string) => {
  using index = indexedFiles(files);
  return renderTargets(index.db, path);
};

test("relative imports: extensions, index files, what was compiled, folders with a manifest", () => {
  const files = {
    "src/app.ts": `import { a } from "./a";
import { b } from "./b.js";
import { c } from "./c";
import d from "./d.vue";
import * as e from "../lib/e";
import { f } from "./a/f";
import { gone } from "./gone";
import { out } from "../../out";
a(); b(); c(); d(); e.run(); e.inner.go(); f(); gone(); out();
`,
    "src/a.ts": "export function a() {}",
    "src/a/f.ts": "export const f = () => 1;",
    "src/b.ts": "export function b() {}",
    "src/c/index.tsx": "export function c() {}",
    "src/d.vue": "<script>\nexport default function d() {}\n</script>\n",
    "lib/e/package.json": `{ "main": "./main.js" }`,
    "lib/e/main.js": "exports.run = function run() {};",
  };
  expect(targets(files, "src/app.ts")).toMatchInlineSnapshot(`
    "9 a → src/a.ts a (exact)
    9 b → src/b.ts b (exact)
    9 c → src/c/index.tsx c (exact)
    9 d → src/d.vue d (exact)
    9 e › run → lib/e/main.js run (imported)
    9 e.inner › go → -
    9 f → src/a/f.ts f (exact)
    9 gone → -
    9 out → -"
  `);
});

test("re-exports, renamed and default exports, wildcards, and two files that export each other", () => {
  const files = {
    "app.ts": `import start, { total as sum, Money, rate, looped } from "./index";
import * as all from "./index";
import type { Line } from "./index";
start(); sum(); new Money(); rate(); looped(); all.total(); all.tax.of();
export function use(line: Line) {}
`,
    "index.ts": `export { default } from "./start";
export { add as total } from "./sum";
export * from "./money";
export * as tax from "./tax";
export * from "./loop";
import { load } from "./rate";
export { load as rate };
`,
    "start.ts": "export default function main() {}",
    "sum.ts": "function plus() {}\nexport { plus as add };",
    "money.ts": "export class Money {}\nexport interface Line {}",
    "tax.ts": "export const of = () => 1;",
    "rate.ts": "export function load() {}",
    "loop.ts": `export * from "./index";`,
  };
  expect(targets(files, "app.ts")).toMatchInlineSnapshot(`
    "4 start → start.ts main (imported)
    4 sum → sum.ts plus (imported)
    4 Money → money.ts Money (imported)
    4 rate → rate.ts load (imported)
    4 looped → -
    4 all › total → sum.ts plus (imported)
    4 all.tax › of → tax.ts of (imported)
    5 Line → money.ts Line (imported)"
  `);
});

test("tsconfig: paths, baseUrl, extends, references, comments", () => {
  const files = {
    "tsconfig.base.json": `{
  // shared
  "compilerOptions": { "paths": { "@app/*": ["packages/app/src/*"], "money": ["lib/money.ts"], }, },
}`,
    "packages/app/tsconfig.json": `{ "extends": "../../tsconfig.base", "references": [{ "path": "./tsconfig.web.json" }] }`,
    "packages/app/tsconfig.web.json": `{ "compilerOptions": { "baseUrl": ".", "paths": { "~/*": ["./src/*"] } } }`,
    "packages/app/src/main.ts": `import { a } from "@app/util/a";
import { cents } from "money";
import { b } from "~/b";
import { c } from "src/c";
a(); cents(); b(); c();
`,
    "packages/app/src/util/a.ts": "export function a() {}",
    "packages/app/src/b.ts": "export function b() {}",
    "packages/app/src/c.ts": "export function c() {}",
    "lib/money.ts": "export function cents() {}",
  };
  expect(targets(files, "packages/app/src/main.ts")).toMatchInlineSnapshot(`
    "5 a → packages/app/src/util/a.ts a (exact)
    5 cents → lib/money.ts cents (exact)
    5 b → packages/app/src/b.ts b (exact)
    5 c → packages/app/src/c.ts c (exact)"
  `);
});

test("a monorepo's packages: exports, conditions, patterns, what is built, internal imports, pnpm", () => {
  const files = {
    "package.json": `{ "workspaces": ["packages/*"] }`,
    "pnpm-workspace.yaml": `packages:\n  # ours\n  - "tools/**"\n`,
    "packages/core/package.json": `{ "name": "@shop/core", "exports": {
      ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" },
      "./*": { "source": "./src/*.ts", "default": "./dist/*.js" } } }`,
    "packages/core/src/index.ts": "export function core() {}",
    "packages/core/src/tax.ts": "export function tax() {}",
    "packages/ui/package.json": `{ "name": "ui", "main": "lib/ui.js", "imports": { "#internal/*": "./src/internal/*.ts" } }`,
    "packages/ui/src/ui.ts": `import { hidden } from "#internal/hidden";\nexport function ui() { hidden(); }`,
    "packages/ui/src/internal/hidden.ts": "export function hidden() {}",
    "tools/a/b/package.json": `{ "name": "tool" }`,
    "tools/a/b/index.js": "module.exports = function tool() {};\nexports.run = () => 1;",
    "packages/app/main.ts": `import { core } from "@shop/core";
import { tax } from "@shop/core/tax";
import { ui } from "ui";
import { run } from "tool";
import { z } from "zod";
core(); tax(); ui(); run(); z.object();
`,
  };
  expect(targets(files, "packages/app/main.ts")).toMatchInlineSnapshot(`
    "6 core → packages/core/src/index.ts core (exact)
    6 tax → packages/core/src/tax.ts tax (exact)
    6 ui → packages/ui/src/ui.ts ui (exact)
    6 run → tools/a/b/index.js run (exact)
    6 z › object → -"
  `);
  expect(targets(files, "packages/ui/src/ui.ts")).toMatchInlineSnapshot(
    `"2 hidden → packages/ui/src/internal/hidden.ts hidden (exact)"`,
  );
});

test("CommonJS", () => {
  const files = {
    "app.js": `const create = require("./lib"), { walk, go: run } = require("./walk");
const walker = require("./walk");
create(); walk(); run(); walker.walk();
`,
    "lib/index.js": `module.exports = require("./create");`,
    "lib/create.js": "exports = module.exports = createApp;\nfunction createApp() {}",
    "walk.js": "module.exports = { walk, go: start };\nfunction walk() {}\nfunction start() {}",
  };
  expect(targets(files, "app.js")).toMatchInlineSnapshot(`
    "3 create → lib/create.js createApp (imported)
    3 walk → walk.js walk (exact)
    3 run → walk.js start (exact)
    3 walker › walk → walk.js walk (imported)"
  `);
});

test("classes: this, super, bases in other files, static members, variables of a type in scope", () => {
  const files = {
    "invoice.ts": `import { Document } from "./document";
import * as shapes from "./document";
import { helper } from "./helper";
export class Invoice extends Document {
  total() { return this.rate() + this.save() + super.total() + Invoice.of() + Document.open() + helper.run(); }
  rate() {}
  static of() { return new shapes.Shape(); }
}
export function pay(invoice: Invoice, other: unknown, list: string[]) {
  invoice.rate();
  other.archive();
  "x".rate();
  list.many();
  function rate() {}
  rate();
}
total();
`,
    "document.ts": "export class Document { save() {} total() {} static open() {} }\nexport class Shape {}",
    "helper.ts": "export const helper = create();",
    "archive.ts": "export class Box { archive() {} rate() {} run() {} }",
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`m${i}.ts`, `export class M${i} { many() {} }`]),
    ),
  };
  expect(targets(files, "invoice.ts")).toMatchInlineSnapshot(`
    "4 Document → document.ts Document (exact)
    5 this › rate → invoice.ts Invoice.rate (exact)
    5 this › save → document.ts Document.save (imported)
    5 super › total → document.ts Document.total (imported)
    5 Invoice › of → invoice.ts Invoice.of (exact)
    5 Document › open → document.ts Document.open (imported)
    5 helper › run → archive.ts Box.run (name)
    7 shapes › Shape → document.ts Shape (imported)
    9 Invoice → invoice.ts Invoice (exact)
    10 invoice › rate → invoice.ts Invoice.rate (imported)
    11 other › archive → archive.ts Box.archive (name)
    12 "x" › rate → -
    13 list › many → -
    15 rate → invoice.ts pay.rate (exact)
    17 total → -"
  `);
});
