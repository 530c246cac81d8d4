/** What the graph keeps from one commit to the next is what it would read anew. */
import { dirname } from "node:path";
import { type IndexDb, openIndexForReading, openIndexForWriting } from "@dhi/core/index-db";
import { treeOf } from "@dhi/server/graph/tree";
import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const files = {
  "web/package.json": '{ "name": "web" }',
  "web/src/app.ts": `import { total } from "./money";
import { log } from "./util";
export function run(invoice: Invoice) {
  log(total(invoice.lines()));
  helper();
}
`,
  "web/src/money.ts": "export function total(lines: number[]) { return lines.length; }\n",
  "web/src/util/index.ts": 'export * from "./log";\n',
  "web/src/util/log.ts": "export function log(text: string) {}\n",
  "web/src/invoice.ts": "export class Invoice {\n  lines() { return []; }\n}\n",
  "py/shop/__init__.py": "from .cart import Cart\n",
  "py/shop/cart.py":
    "class Base:\n    def pay(self): pass\n\nclass Cart(Base):\n    def add(self): self.pay()\n",
  "py/main.py": "from shop import Cart\n\ndef main():\n    cart = Cart()\n    cart.pay()\n    cart.add()\n",
  "go/go.mod": "module example.com/app\n",
  "go/main.go":
    'package main\n\nimport "example.com/app/model"\n\nfunc main() { model.New().Total(); helper() }\n',
  "go/model/model.go": "package model\n\ntype Invoice struct{}\n\nfunc New() *Invoice { return nil }\n",
};

const changes: readonly [what: string, put: Record<string, string>, gone?: string[]][] = [
  ["a line above", { "web/src/money.ts": `const zero = 0;\n\n${files["web/src/money.ts"]}` }],
  ["another name", { "web/src/money.ts": "export function sum(lines: number[]) { return 0; }\n" }],
  ["the name again", { "web/src/money.ts": files["web/src/money.ts"] }],
  ["a module that another file comes before", { "web/src/util.ts": "export const log = () => {};\n" }],
  ["without it", {}, ["web/src/util.ts"]],
  ["a namesake", { "web/src/other.ts": "export class Other {\n  lines() {}\n}\n" }],
  [
    "an import of its class",
    { "web/src/app.ts": `import { Invoice } from "./invoice";\n${files["web/src/app.ts"]}` },
  ],
  ["another base", { "py/shop/cart.py": "class Cart:\n    def pay(self): pass\n" }],
  ["a package that is a module", { "py/shop.py": "class Cart:\n    pass\n" }, ["py/shop/__init__.py"]],
  ["neither", {}, ["py/shop.py", "py/shop/cart.py"]],
  [
    "a method beside its type",
    { "go/model/total.go": "package model\n\nfunc (i *Invoice) Total() int { return 0 }\n" },
  ],
  ["a function of the package", { "go/helper.go": "package main\n\nfunc helper() {}\n" }],
  ["another module path", { "go/go.mod": "module example.com/other\n" }],
  ["the module path again", { "go/go.mod": files["go/go.mod"] }],
  ["a folder that is gone", {}, ["go/model/model.go", "go/model/total.go"]],
  [
    "a change behind more than can be compared",
    { ...manyFiles(), "web/src/money.ts": "export const sum = 0;\n" },
  ],
  ["a namesake behind as much", { ...manyFiles(), "web/src/sums.ts": "export function total() {}\n" }],
];

/** More of them, and more names, than are compared one by one. */
function manyFiles(): Record<string, string> {
  const names = Array.from({ length: 40 }, (_, i) => `export const name${i} = ${i};\n`).join("");
  return Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`many/m${i}.ts`, `// ${i}\n${names}`]));
}

const PATHS = ["web/src/app.ts", "web/src/money.ts", "py/main.py", "py/shop/cart.py", "go/main.go"];
const NAMES = ["total", "lines", "Cart", "helper"];

function render(db: IndexDb): string {
  const uses = PATHS.map((path) => `${path}\n${renderTargets(db, path)}`);
  const places = NAMES.flatMap((name) => treeOf(db).named(name));
  return [...uses, ...places.map(({ name, path, startLine }) => `${name} ${path}:${startLine}`)].join("\n");
}

test("after each commit, uses lead where they would lead if nothing had been kept", () => {
  using index = indexedFiles(files);
  const anew = (): string => {
    const db = openIndexForReading(dirname(index.db.name));
    if (!db) throw new Error("the index cannot be opened");
    try {
      return render(db);
    } finally {
      db.close();
    }
  };
  // Read together what is read one by one from the new connection.
  const renderKept = () => {
    for (const path of PATHS) treeOf(index.db).expect(path, [...NAMES, "run", "log", "main", "add"]);
    return render(index.db);
  };
  let before = renderKept();
  for (const [what, put, gone] of changes) {
    index.put(put, gone);
    const kept = renderKept();
    expect(kept, what).toBe(anew());
    // Else the step would show nothing.
    expect(kept, what).not.toBe(before);
    before = kept;
  }
});

test("what a change leaves as it was is not computed again, and what it does not is", () => {
  using index = indexedFiles(files);
  let computed = 0;
  const ask = () =>
    treeOf(index.db).once("sum of what app.ts imports and defines", () => {
      computed++;
      const tree = treeOf(index.db);
      return [...tree.imports("web/src/app.ts"), ...tree.symbols("web/src/app.ts", "run")];
    });
  ask();
  index.put({ "web/src/app.ts": files["web/src/app.ts"].replace("helper()", "helper(1)") });
  index.put({ "web/src/money.ts": "" });
  ask();
  expect(computed).toBe(1);
  index.put({ "web/src/app.ts": `\n${files["web/src/app.ts"]}` });
  ask();
  expect(computed).toBe(2);
});

test("what a newer chunker finds in the same content counts at once", () => {
  using index = indexedFiles(files);
  const defined = () => treeOf(index.db).symbols("web/src/money.ts", "total").length;
  expect(defined()).toBe(1);
  const writer = openIndexForWriting(dirname(index.db.name));
  writer.exec("DELETE FROM symbols; UPDATE blobs SET chunker = 'newer'");
  writer.close();
  expect(defined()).toBe(0);
});

test("of a commit with more names than can be compared, all about its files is read anew, and nothing else", () => {
  const many = (value: number) =>
    Array.from({ length: 1_100 }, (_, i) => `export const a${i} = ${value};\n`).join("");
  using index = indexedFiles({ "a.ts": many(0), "b.ts": many(0), "c.ts": "" });
  const ask = () => ["a.ts", "b.ts"].map((path) => treeOf(index.db).symbols(path, "a7")[0]?.signature);
  let computed = 0;
  const other = () => treeOf(index.db).once("other", () => `${treeOf(index.db).has("c.ts")} ${++computed}`);
  expect([ask(), other()]).toEqual([["const a7 = 0", "const a7 = 0"], "true 1"]);
  index.put({ "a.ts": many(1), "b.ts": many(1) });
  expect([ask(), other()]).toEqual([["const a7 = 1", "const a7 = 1"], "true 1"]);
  index.put({ ...manyFiles(), "a.ts": "", "d.ts": "" });
  expect([ask(), other()]).toEqual([[undefined, "const a7 = 1"], "true 1"]);
  index.put({}, ["c.ts"]);
  expect(other()).toBe("false 2");
});
