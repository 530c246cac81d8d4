import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const targets = (files: Record<string, string>, path: string) => {
  using index = indexedFiles(files);
  return renderTargets(index.db, path);
};

test("modules by file, crate, self, super, inline modules, re-exports, wildcards and macros", () => {
  const files = {
    "Cargo.toml": `[package]\nname = "my-shop" # ours\n`,
    "src/lib.rs": `pub mod model;
mod tax;
pub use model::Invoice as Bill;
pub use tax::*;
pub fn root() { tax::of(); model::line::Line::new(); self::tax::of(); inner::deep(); }
mod inner { pub fn deep() { super::root(); } }
`,
    "src/model/mod.rs": `pub mod line;
use self::line::{Line, helper as help};
use super::tax;
use crate::{tax::Rate, Bill};
use std::collections::HashMap;
pub struct Invoice { lines: Vec<Line> }
impl Invoice {
    pub fn total(&self) -> u64 { self.sum(); Self::zero(); help(); tax::of(); Rate::new(1); Bill::zero(); HashMap::new(); self.lines.iter(); line::helper() }
    fn zero() {}
    fn sum(&self) {}
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { assert_eq!(Invoice::zero(), help()); }
}
`,
    "src/model/line.rs":
      "pub struct Line;\nimpl Line { pub fn new() {} }\npub fn helper() { super::super::root() }\n",
    "src/tax.rs":
      "pub fn of() {}\npub struct Rate;\nimpl Rate { pub fn new(x: u8) {} }\nimpl super::model::Invoice { pub fn tax(&self) { self.sum() } }\n",
    "src/main.rs": "use my_shop::{root, Bill};\nfn main() { root(); Bill::zero(); my_shop::of(); }\n",
    "tests/it.rs":
      "use my_shop::Bill;\nmod common;\n#[test]\nfn it(invoice: Bill) { invoice.total(); common::setup(); }\n",
    "tests/common/mod.rs": "pub fn setup() {}\n",
  };
  expect(targets(files, "src/lib.rs")).toMatchInlineSnapshot(`
    "5 tax › of → src/tax.rs of (imported)
    5 model::line::Line › new → src/model/line.rs Line.new (imported)
    5 self::tax › of → src/tax.rs of (imported)
    5 inner › deep → src/lib.rs inner.deep (exact)
    6 super › root → src/lib.rs root (imported)"
  `);
  expect(targets(files, "src/model/mod.rs")).toMatchInlineSnapshot(`
    "6 Line → src/model/line.rs Line (exact)
    7 Invoice → src/model/mod.rs Invoice (exact)
    8 self › sum → src/model/mod.rs Invoice.sum (exact)
    8 Self › zero → src/model/mod.rs Invoice.zero (exact)
    8 help → src/model/line.rs helper (exact)
    8 tax › of → src/tax.rs of (imported)
    8 Rate › new → src/tax.rs Rate.new (imported)
    8 Bill › zero → src/model/mod.rs Invoice.zero (imported)
    8 HashMap › new → -
    8 self.lines › iter → -
    8 line › helper → src/model/line.rs helper (imported)
    16 Invoice › zero → src/model/mod.rs Invoice.zero (exact)
    16 help → src/model/line.rs helper (exact)"
  `);
  expect(targets(files, "src/model/line.rs")).toMatchInlineSnapshot(`
    "2 Line → src/model/line.rs Line (exact)
    3 super::super › root → src/lib.rs root (imported)"
  `);
  expect(targets(files, "src/tax.rs")).toMatchInlineSnapshot(`
    "3 Rate → src/tax.rs Rate (exact)
    4 super::model › Invoice → src/model/mod.rs Invoice (imported)
    4 self › sum → src/model/mod.rs Invoice.sum (exact)"
  `);
  expect(targets(files, "src/main.rs")).toMatchInlineSnapshot(`
    "2 root → src/lib.rs root (exact)
    2 Bill › zero → src/model/mod.rs Invoice.zero (imported)
    2 my_shop › of → src/tax.rs of (imported)"
  `);
  expect(targets(files, "tests/it.rs")).toMatchInlineSnapshot(`
    "4 Bill → src/model/mod.rs Invoice (imported)
    4 invoice › total → src/model/mod.rs Invoice.total (imported)
    4 common › setup → tests/common/mod.rs setup (imported)"
  `);
});

test("crates of a workspace and by path, under their own and another name", () => {
  const files = {
    "Cargo.toml": `[workspace]\nmembers = [\n  "crates/*",\n]\n`,
    "crates/app/Cargo.toml": `[package]\nname = "app"\n\n[dependencies]\nrenamed = { path = "../../vendor/far", package = "far" }\n`,
    "crates/app/src/main.rs": `use big_model::kind::Kind;
use renamed::far;
use big_model as b;
fn main() { Kind::of(); far(); b::start(); big_model::start(); Kind::A.show(); }
`,
    "crates/big-model/Cargo.toml": `[package]\nname = "big-model"\n[lib]\npath = "lib/root.rs"\n`,
    "crates/big-model/lib/root.rs": "pub mod kind;\npub fn start() {}\n",
    "crates/big-model/lib/kind.rs":
      "pub enum Kind { A }\nimpl Kind { pub fn of() {} }\npub trait Show { fn show(&self) {} }\nimpl Show for Kind {}\n",
    "vendor/far/Cargo.toml": `[package]\nname = "far"\n`,
    "vendor/far/src/lib.rs": "pub fn far() {}\n",
  };
  expect(targets(files, "crates/app/src/main.rs")).toMatchInlineSnapshot(`
    "4 Kind › of → crates/big-model/lib/kind.rs Kind.of (imported)
    4 far → vendor/far/src/lib.rs far (exact)
    4 b › start → crates/big-model/lib/root.rs start (imported)
    4 big_model › start → crates/big-model/lib/root.rs start (imported)
    4 Kind::A › show → crates/big-model/lib/kind.rs Show.show (name)"
  `);
});
