/** What TypeScript found is tested with TypeScript itself, in scripts/src/typescript-members.test.ts. */
import { type IndexDb, openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, expect, test } from "vitest";
import { membersAt, signatureOf } from "./members.ts";

const source = `import { Invoice } from "./invoice";
class Cart {
  fill(): void {}
  total: number;
}
function pay(cart: Cart, late?: Invoice) {
  const other = new Invoice();
}
`;
const state = tempDir();
let db: IndexDb;
beforeAll(() => {
  db = openIndexForWriting(state.dir);
  const run = (sql: string) => db.prepare(sql).run();
  run("INSERT INTO live VALUES ('src/cart.ts', 1, 'typescript', 0), ('src/invoice.ts', 2, 'typescript', 0)");
  db.prepare("INSERT INTO texts VALUES (1, 'h', ?)").run(source);
  run("INSERT INTO chunks VALUES (1, 0, 'lines', NULL, NULL, NULL, 1, 8, 1)");
  const symbol = "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)";
  db.prepare(symbol).run(1, 0, "Cart", "class", "class Cart", null, 2, 5);
  db.prepare(symbol).run(1, 1, "fill", "method", "fill(): void", "Cart", 3, 3);
  db.prepare(symbol).run(1, 2, "total", "variable", "total: number", "Cart", 4, 4);
  db.prepare(symbol).run(2, 0, "Invoice", "class", "class Invoice", null, 1, 9);
  db.prepare(symbol).run(2, 1, "send", "method", "send(): boolean", "Invoice", 3, 3);
  // Looked at before the rest was written.
  run("INSERT INTO types (id, key, text, path) VALUES (1, 'src/row.ts#Row', 'Row', 'src/row.ts')");
  run("INSERT INTO types (id, key, text) VALUES (2, 'lib#string', 'string')");
  run(`INSERT INTO type_members VALUES (1, 0, 'sku', 'property', 'sku: string', NULL, 2),
    (1, 1, 'hidden', 'property', 'hidden: string', 'private', 2), (2, 0, 'trim', 'method', 'trim(): string', NULL, 2)`);
  run(`INSERT INTO typed_names VALUES
    ('src/cart.ts', 'row', 0, 'variable', 3, 5, 'Row', 1, NULL),
    ('src/cart.ts', 'row', 1, 'variable', 10, 20, 'string', 2, NULL),
    ('src/cart.ts', 'make', 2, 'function', 1, 30, '() => Row', 1, 'make(): Row'),
    ('src/row.ts', 'row', 0, 'variable', 1, 9, 'Row', 1, NULL)`);
});
afterAll(() => {
  db.close();
  state[Symbol.dispose]();
});

const at = (expression: string, line = 7, path = "src/cart.ts") => {
  const { type, from, members } = membersAt(db, { path, expression, line });
  return `${type} (${from}): ${members.map((m) => m.name).join(" ")}`;
};

test.each([
  ["in the scope of the first", 4, "Row (typescript): sku"],
  ["in the scope of the second", 15, "string (typescript): trim"],
  ["below both", 99, "string (typescript): trim"],
  ["between them, where lines have moved", 8, "Row (typescript): sku"],
  ["above them", 1, "Row (typescript): sku"],
])("of two names the one is meant that the line sees: %s", (_, line, expected) => {
  expect(at("row", line)).toBe(expected);
});

test("private members show in the file of their class only", () => {
  expect(at("row", 4, "src/row.ts")).toBe("Row (typescript): sku hidden");
});

test("a chain over what is stored", () => {
  expect(at("make().sku.trim()")).toBe("string (typescript): trim");
  expect(at("make")).toBe("() => Row (typescript): ");
  expect(at('"x"')).toBe("string (typescript): trim");
  expect(signatureOf(db, { path: "src/cart.ts", name: "make" })).toBe("make(): Row");
});

test.each([
  ["a parameter's annotation", "cart", 7, "Cart (symbols): fill total"],
  ["one that may be left out", "late", 7, "Invoice (symbols): send"],
  ["what new makes", "other", 8, "Invoice (symbols): send"],
  ["new itself", "new Invoice()", 8, "Invoice (symbols): send"],
  ["this, by the class around the line", "this", 3, "Cart (symbols): fill total"],
  ["this outside of one", "this", 7, "null (nothing): "],
  ["a name that is declared below", "other", 2, "null (nothing): "],
  ["a name that is nowhere", "nowhere", 7, "null (nothing): "],
  ["a chain", "cart.items", 7, "null (nothing): "],
])(
  "what TypeScript does not know is guessed from the class that is named: %s",
  (_, expression, line, expected) => {
    expect(at(expression, line)).toBe(expected);
  },
);
