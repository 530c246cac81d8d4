import { callsLeg } from "@dhi/server/retrieval/legs/calls";
import { expect, test } from "vitest";
import { foundBy } from "../testing/leg-answers.ts";

const found = async (files: Readonly<Record<string, string>>, path: string) =>
  (await foundBy(callsLeg, files, path)).map((one) => `${one.path}:${one.startLine} ${one.name}`);

const shop = {
  "shop/money.py": "def cents(n): pass\n\ndef rounded(n): pass\n",
  "shop/invoice.py": `from shop.money import cents, rounded
class Invoice:
    def tax(self):
        return rounded(1)
    def total(self):
        cents(1)
        █
def alone():
    pass
`,
  "shop/pay.py": `from shop.invoice import Invoice
def pay():
    total = Invoice().total()
    return total
`,
  "shop/__init__.py": "",
};

test("what the function calls comes first, then who calls it and what its siblings call", async () => {
  expect(await found(shop, "shop/invoice.py")).toEqual([
    "shop/money.py:1 cents",
    "shop/pay.py:1 pay",
    "shop/money.py:3 rounded",
  ]);
});

test("a caller is shown with the lines around its use", async () => {
  const [, caller] = await foundBy(callsLeg, shop, "shop/invoice.py");
  expect(caller).toMatchObject({ text: shop["shop/pay.py"], signature: null, language: "python" });
});

test("the function is found from the text where the code around the cursor cannot be read", async () => {
  const files = {
    "a.go": `package a
func Run() {
	parse()
	x := ((█
}
`,
    "b.go": "package a\nfunc parse() {}\n",
  };
  expect(await found(files, "a.go")).toEqual(["b.go:2 parse"]);
});

test("outside of functions there is nothing to say", async () => {
  expect(
    await found({ "a.ts": "export const a = 1;\n█\n", "b.ts": 'import { a } from "./a";' }, "a.ts"),
  ).toEqual([]);
});
