/** What the instant tier knows of names by their definitions, and what it suggests of them. */
import { fimRequest } from "@dhi/core/protocol";
import { atCursor } from "@dhi/core/testing/at-cursor";
import { createInstantEngine } from "@dhi/server/instant/instant-engine";
import { createInstantIndex } from "@dhi/server/instant/instant-index";
import { createSymbols, symbolsAt } from "@dhi/server/instant/symbols";
import { describe, expect, test } from "vitest";
import { indexedFiles } from "../testing/indexed-files.ts";

/** The open file is in the index as it is, without what the cursor's line holds. */
function sceneOf(path: string, source: string, files: Readonly<Record<string, string>>) {
  const { prefix, suffix } = atCursor(source);
  const text = prefix.slice(0, prefix.lastIndexOf("\n") + 1) + suffix;
  const scene = indexedFiles({ ...files, [path]: text });
  return { ...scene, prefix, suffix, left: prefix.slice(prefix.lastIndexOf("\n") + 1) };
}

async function suggested(path: string, source: string, files: Readonly<Record<string, string>>) {
  using scene = sceneOf(path, source, files);
  const { prefix, suffix, db } = scene;
  const index = createInstantIndex({ index: { get: () => db }, pollMs: 60_000 });
  try {
    await index.refresh();
    const { preview } = createInstantEngine({ index, previewThreshold: 0.7 });
    return (await preview?.(fimRequest.parse({ path, prefix, suffix })))?.preview;
  } finally {
    index.close();
  }
}

function membersIn(path: string, source: string, files: Readonly<Record<string, string>>): readonly string[] {
  using scene = sceneOf(path, source, files);
  return symbolsAt(scene.db, { path, prefix: scene.prefix }).membersAfter(scene.left);
}

const pricing =
  "def total_with_tax(lines, tax_rate):\n    return 1\n\n\ndef shipping_cost(weight_grams, zone):\n    return 2\n";
const shop = { "shop/__init__.py": "", "shop/pricing.py": pricing };
const money =
  "export function formatCents(cents: number): string {\n  return String(cents);\n}\nexport function parseCents(text: string): number {\n  return Number(text);\n}\n";

/** Names that begin alike and are used elsewhere, but cannot stand there. */
const decoys = (name: string, extension: string) => ({
  [`other/decoy.${extension}`]: `${name}(1)\n${name}(2)\n${name}(3)\n`,
});

describe("a name that only its definition has is suggested, though others begin alike", () => {
  test("behind a Python module", async () => {
    const source = '"""The last step before paying."""\n\nfrom shop import pricing\n\nreturn pricing.ship█\n';
    expect(await suggested("shop/checkout.py", source, { ...shop, ...decoys("shipment_label", "py") })).toBe(
      "ping_cost",
    );
  });

  test("behind a namespace of TypeScript", async () => {
    const source = 'import * as money from "./money";\n\nexport const price = money.form█\n';
    const files = { "src/money.ts": money, ...decoys("formula", "ts") };
    expect(await suggested("src/shop.ts", source, files)).toMatch(/^atCents/);
  });

  test("where TypeScript imports it by name", async () => {
    const source = 'import { formatCents } from "./money";\n\nexport const price = formatC█\n';
    const files = { "src/money.ts": money, ...decoys("formatColumn", "ts") };
    expect(await suggested("src/shop.ts", source, files)).toMatch(/^ents/);
  });

  test("behind `self`", async () => {
    const source = `class Cart:
    def shipping_cost(self):
        return 1

    def shown_lines(self):
        return 2

    def total(self, cart):
        cart.shipment_label(1)
        cart.shipment_label(2)
        return self.ship█
`;
    expect(await suggested("cart.py", source, {})).toMatch(/^ping_cost/);
  });

  test("behind `this`", async () => {
    const source = `export class Cart {
  shippingCost(): number {
    return 1;
  }
  total(cart: Label): number {
    cart.shipmentLabel(1);
    cart.shipmentLabel(2);
    return this.ship█
  }
}
`;
    expect(await suggested("cart.ts", source, {})).toMatch(/^pingCost/);
  });

  test("but not where its name takes quotes, and may be a key", async () => {
    const source = `export class Headers {
  "glpat-aB3dE5fG7hI9jK1lM3nO" = 1;
  total(): number {
    return this.glp█
  }
}
`;
    expect(await suggested("headers.ts", source, {})).toBeUndefined();
  });

  test("behind a Go package", async () => {
    const files = {
      ...decoys("ShipmentLabel", "go"),
      "go.mod": "module shop\n\ngo 1.22\n",
      "pricing/pricing.go":
        "package pricing\n\nfunc ShippingCost(grams int) int {\n\treturn grams\n}\n\nfunc TotalWithTax(net int) int {\n\treturn net\n}\n",
    };
    const source = 'package main\n\nimport "shop/pricing"\n\nfunc main() {\n\tpricing.Ship█\n}\n';
    expect(await suggested("main.go", source, files)).toMatch(/^pingCost/);
  });
});

describe("what can stand there", () => {
  test("behind `from … import` is what the module defines, and its modules", () => {
    expect(membersIn("shop/checkout.py", "from shop.pricing import █\n", shop)).toEqual([
      "total_with_tax",
      "shipping_cost",
    ]);
    expect(membersIn("shop/checkout.py", "from shop import █\n", shop)).toContain("pricing");
  });

  test("behind `self` is what the class and those it extends have", () => {
    const files = { "base.py": "class Base:\n    def save(self):\n        return 1\n" };
    const source = `from base import Base


class Cart(Base):
    def total(self):
        self.█
`;
    expect(membersIn("cart.py", source, files)).toEqual(["total", "save"]);
  });

  test("is not known of a value without a type, nor in a language without definitions", () => {
    expect(membersIn("a.py", "def f(x):\n    x.█\n", {})).toEqual([]);
    expect(membersIn("a.md", "see x.█\n", {})).toEqual([]);
  });

  test("nothing is known of an index that was closed", () => {
    using scene = sceneOf("shop/checkout.py", "from shop import pricing\npricing.█\n", shop);
    const symbols = symbolsAt(scene.db, { path: "shop/checkout.py", prefix: scene.prefix });
    scene.db.close();
    expect(symbols.membersAfter("pricing.")).toEqual([]);
    expect(symbols.callAround("pricing.shipping_cost(")).toBeUndefined();
  });
});

test("what was found holds for the rest of the line, and until the index changes", () => {
  using scene = indexedFiles({ ...shop, "a.py": "from shop import pricing\n" });
  const at = createSymbols();
  const ask = (line: string) => at(scene.db, { path: "a.py", prefix: `from shop import pricing\n${line}` });
  const first = ask("pri");
  expect(ask("pricing.")).toBe(first);
  expect(ask("pricing\n")).not.toBe(first);
  expect(ask("pricing.").membersAfter("pricing.")).toContain("shipping_cost");
  scene.put({ "shop/pricing.py": "def weigh():\n    return 1\n" });
  expect(ask("pricing.").membersAfter("pricing.")).toEqual(["weigh"]);
});

test("a call has the parameters of what it calls, a class those of its constructor", () => {
  const files = {
    ...shop,
    "shop/cart.py": "class Cart:\n    def __init__(self, owner, zone):\n        pass\n",
  };
  const source = "from shop import pricing\nfrom shop.cart import Cart\n█\n";
  using scene = sceneOf("shop/checkout.py", source, files);
  const { callAround } = symbolsAt(scene.db, { path: "shop/checkout.py", prefix: scene.prefix });
  expect(callAround("pricing.shipping_cost(grams, ")).toEqual({
    ...{ argument: 1, isAtStart: true, parameters: ["weight_grams", "zone"] },
  });
  expect(callAround("Cart(")?.parameters).toEqual(["owner", "zone"]);
  expect(callAround("unknown(")).toBeUndefined();
});
