import { testsLeg } from "@dhi/server/retrieval/legs/tests";
import { expect, test } from "vitest";
import { foundBy } from "../testing/leg-answers.ts";

const found = async (files: Readonly<Record<string, string>>, path: string) =>
  (await foundBy(testsLeg, files, path)).map((one) => `${one.path} ${one.name}`);

test.each([
  ["src/cart.test.ts", "src/cart.ts", "export function total() {}\n"],
  ["src/__tests__/cart.ts", "src/cart.ts", "export function total() {}\n"],
  ["tests/unit/cart.spec.js", "src/unit/cart.js", "export function total() {}\n"],
  ["tests/test_cart.py", "cart.py", "def total(): pass\n"],
  ["cart_test.go", "cart.go", "package a\nfunc total() {}\nfunc Total() {}\n"],
  ["src/test/java/shop/CartTest.java", "src/main/java/shop/Cart.java", "public class total {}\n"],
  ["crate/tests/cart.rs", "crate/src/cart.rs", "pub fn total() {}\n"],
])("%s is about %s", async (path, subject, text) => {
  const files = { [path]: "█\n", [subject]: text, "elsewhere/deep/cart.ts": "export function not() {}\n" };
  const all = await found(files, path);
  expect(all.map((one) => one.toLowerCase())).toEqual([`${subject} total`.toLowerCase()]);
});

test("names near the cursor come first, then what is at the top level", async () => {
  const files = {
    "cart.py": "class Cart:\n    def add(self): pass\n    def total(self): pass\ndef empty(): pass\n",
    "test_cart.py": "from cart import Cart\ndef test_total():\n    cart.total()\n    █\n",
  };
  expect(await found(files, "test_cart.py")).toEqual([
    "cart.py total",
    "cart.py Cart",
    "cart.py empty",
    "cart.py add",
  ]);
});

test("a test that is called otherwise is about what it imports", async () => {
  const files = {
    "src/money.ts": "export function cents() {}\n",
    "src/checkout.test.ts": 'import { cents } from "./money";\n█\n',
  };
  expect(await found(files, "src/checkout.test.ts")).toEqual(["src/money.ts cents"]);
});

test("code is shown where its tests use the function around the cursor, and its class after that", async () => {
  const files = {
    "src/cart.ts": "export class Cart {\n  total() {\n    █\n  }\n}\nexport function other() {}\n",
    "src/cart.test.ts": `import { Cart } from "./cart";
other();
${"\n".repeat(20)}const cart = new Cart();
${"\n".repeat(20)}expect(cart.total()).toBe(3);
`,
    "src/pay.ts": 'import { Cart } from "./cart";\nnew Cart().total();\n',
  };
  const all = await foundBy(testsLeg, files, "src/cart.ts");
  expect(all.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual([
    ["src/cart.test.ts", 40, 45],
    ["src/cart.test.ts", 19, 27],
  ]);
  expect(all[0]?.text.trim()).toBe("expect(cart.total()).toBe(3);");
});
