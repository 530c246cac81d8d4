import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const targets = (files: Record<string, string>, path: string) => {
  using index = indexedFiles(files);
  return renderTargets(index.db, path);
};

test("a src layout: absolute and relative imports, submodules, what __init__.py passes on", () => {
  const files = {
    "src/shop/__init__.py":
      "from .billing.invoice import Invoice as Bill\nfrom .money import *\nfrom . import tax\n",
    "src/shop/billing/__init__.py": "",
    "src/shop/billing/invoice.py": `import json
import shop.money
import shop.money as cash
from .. import tax, Bill
from ..money import cents as c, Money
from .lines import *
from shop import tax as same, gone
class Invoice:
    def total(self):
        return c(1), shop.money.cents(1), cash.Money.zero(), tax.of(), same.of(), line(), json.dumps()
    def copy(self) -> Money:
        self.total(); Bill(); Invoice(); gone(); other()
        from ..late import later
        return later()
`,
    "src/shop/billing/lines.py": "from .deep import line",
    "src/shop/billing/deep.py": "def line(): pass",
    "src/shop/billing/json.py": "def dumps(): pass",
    "src/shop/money.py": "def cents(x): pass\nclass Money:\n    @classmethod\n    def zero(cls): pass\n",
    "src/shop/tax.py": "def of(): pass",
    "src/shop/late.py": "def later(): pass",
    "tests/test_invoice.py": `from shop import Bill, cents
import shop
Bill().total(); cents(1); shop.tax.of(); shop.Bill()
def test(invoice):
    invoice.total()
`,
  };
  expect(targets(files, "src/shop/billing/invoice.py")).toMatchInlineSnapshot(`
    "10 c → src/shop/money.py cents (exact)
    10 shop.money › cents → src/shop/money.py cents (imported)
    10 cash.Money › zero → src/shop/money.py Money.zero (imported)
    10 tax › of → src/shop/tax.py of (imported)
    10 same › of → src/shop/tax.py of (imported)
    10 line → src/shop/billing/deep.py line (imported)
    10 json › dumps → -
    11 Money → src/shop/money.py Money (exact)
    12 self › total → src/shop/billing/invoice.py Invoice.total (exact)
    12 Bill → src/shop/billing/invoice.py Invoice (imported)
    12 Invoice → src/shop/billing/invoice.py Invoice (exact)
    12 gone → -
    12 other → -
    14 later → src/shop/late.py later (exact)"
  `);
  expect(targets(files, "tests/test_invoice.py")).toMatchInlineSnapshot(`
    "3 Bill → src/shop/billing/invoice.py Invoice (imported)
    3 Bill() › total → src/shop/billing/invoice.py Invoice.total (imported)
    3 cents → src/shop/money.py cents (imported)
    3 shop.tax › of → src/shop/tax.py of (imported)
    3 shop › Bill → src/shop/billing/invoice.py Invoice (imported)
    5 invoice › total → src/shop/billing/invoice.py Invoice.total (name)"
  `);
});

test("namespace packages, stubs, scripts beside their modules, several projects in one tree", () => {
  const files = {
    "packages/a/src/ns/a/work.py": "def work(): pass",
    "packages/a/src/ns/a/typed.pyi": "def typed() -> int: ...",
    "packages/b/main.py": `from ns.a.work import work
from ns.a import typed, work as module
import helper
from numpy import array
work(); typed.typed(); module.work(); helper.help(); array([1])
`,
    "packages/b/helper.py": "def help(): pass",
  };
  expect(targets(files, "packages/b/main.py")).toMatchInlineSnapshot(`
    "5 work → packages/a/src/ns/a/work.py work (exact)
    5 typed › typed → packages/a/src/ns/a/typed.pyi typed (imported)
    5 module › work → packages/a/src/ns/a/work.py work (imported)
    5 helper › help → packages/b/helper.py help (imported)
    5 array → -"
  `);
});

test("classes: self, cls, super, bases in other files, and a base that is its own", () => {
  const files = {
    "a.py": `from b import Base
import b
class A(Base):
    def run(self):
        self.step(); self.shared(); super().run(); super().missing(); super().step(); self.missing(); self.box.open()
    @classmethod
    def make(cls): return cls.build()
    def step(self): pass
class B(b.Mixin, A):
    def go(self): self.mix(); self.shared()
class Loop(Loop):
    def go(self): self.nothing()
def outer():
    def inner(): pass
    inner()
    step()
`,
    "b.py":
      "class Root:\n    def shared(self): pass\nclass Base(Root):\n    def run(self): pass\n    @classmethod\n    def build(cls): pass\nclass Mixin:\n    def mix(self): pass\nclass Box:\n    def open(self): pass\n",
  };
  expect(targets(files, "a.py")).toMatchInlineSnapshot(`
    "3 Base → b.py Base (exact)
    5 self › step → a.py A.step (exact)
    5 self › shared → b.py Root.shared (imported)
    5 super() › run → b.py Base.run (imported)
    5 super() › missing → -
    5 super() › step → -
    5 self › missing → -
    5 self.box › open → b.py Box.open (name)
    6 classmethod → -
    7 cls › build → b.py Base.build (imported)
    9 b › Mixin → b.py Mixin (imported)
    9 A → a.py A (exact)
    10 self › mix → b.py Mixin.mix (imported)
    10 self › shared → b.py Root.shared (imported)
    11 Loop → a.py Loop (exact)
    12 self › nothing → -
    15 inner → a.py outer.inner (exact)
    16 step → -"
  `);
});
