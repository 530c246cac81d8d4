import { definitionsIn, searchCallees, searchCallers } from "@dhi/server/graph/call-graph";
import { treeOf } from "@dhi/server/graph/tree";
import { expect, test, vi } from "vitest";
import { indexedFiles } from "../testing/indexed-files.ts";
import { searched } from "../testing/searched.ts";

test("no question of the graph scans a table, so none is slower in a larger workspace", () => {
  using index = indexedFiles({
    "tsconfig.json": `{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }`,
    "package.json": `{ "workspaces": ["packages/*"] }`,
    "lib/base.ts": "export class Base { run() {} }",
    "a.ts": `import { Base as Root } from "@/lib/base";\nclass A extends Root { go() { this.run();\nother.run(); } }`,
    "a.py": "from pkg.b import c\nc()",
    "a.rs": "mod b { pub fn f() { super::g() } }\nfn g() { b::f() }",
  });
  const prepare = vi.spyOn(index.db, "prepare");
  const base = { path: "lib/base.ts", name: "Base.run" };
  expect(searched(searchCallers(index.db, base))).toHaveLength(2);
  searched(searchCallers(index.db, { ...base, maxRows: 1 }));
  expect(searched(searchCallees(index.db, { path: "a.ts", enclosing: "A" }))).toHaveLength(2);
  for (const [path, enclosing] of [
    ["a.py", ""],
    ["a.rs", "g"],
  ] as const)
    searched(searchCallees(index.db, { path, enclosing }));
  definitionsIn(index.db, { path: "a.rs", name: "b" });
  treeOf(index.db).modulesIn("a.rs");
  treeOf(index.db).entries("packages");

  const asked = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
  prepare.mockRestore();
  expect(asked.length).toBeGreaterThan(10);
  for (const sql of asked) {
    const statement = index.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const plan = statement.all(...Array.from(sql.matchAll(/\?/g), () => "x")).map(({ detail }) => detail);
    expect(
      // A subquery's few rows are counted.
      plan.filter((step) => /^SCAN (?!\()/.test(step)),
      sql,
    ).toEqual([]);
  }
});
