import { membersAt } from "@dhi/server/graph/members";
import { expect, test } from "vitest";
import { indexedFiles } from "../testing/indexed-files.ts";

const files = {
  "Money.java":
    "package shop;\npublic class Money {\n  public Money(int cents) {}\n  Money plus(Money o) {}\n}\n",
  "Fee.java":
    "package shop;\nclass Fee extends Money {\n  int rate() {\n    return 1;\n  }\n  void pay(Money m) {\n  }\n}\n",
  "Cargo.toml": '[package]\nname = "shop"\n',
  "src/lib.rs":
    "mod fees;\npub struct Money { pub cents: i64 }\nimpl Money {\n    fn plus(&self) {\n    }\n}\n",
  "src/fees.rs": "use crate::Money;\nimpl Money {\n    pub fn fee(&self) {\n    }\n}\n",
  "money/money.go": "package money\n\ntype Money struct {\n\tCents int\n}\n",
  "money/plus.go": "package money\n\nfunc (m *Money) Plus(o Money) {\n}\n",
  "app.ts": `import { Money } from "./src/money";
import * as shop from "./src/money";
import { Router } from "express";
function pay(m: Money, r: Router, w: Wallet, s: shop.Money) {
}
`,
  "src/money.ts":
    "class Base { open() {} plus() {} }\nexport class Money extends Base {\n  constructor() {}\n  plus() {}\n}\n",
  "other/money.ts":
    "export class Money { wrong() {} }\nexport class Router { wrong() {} }\nexport interface Wallet { left: number }\n",
};

test.each([
  ["Fee.java", "m", 7, "Money: plus"],
  ["Fee.java", "this", 4, "Fee: rate pay plus"],
  ["src/lib.rs", "self", 5, "Money: cents plus fee"],
  ["src/fees.rs", "self", 4, "Money: cents plus fee"],
  ["money/plus.go", "m", 4, "Money: Cents Plus"],
  ["app.ts", "m", 5, "Money: plus open"],
  ["app.ts", "s", 5, "Money: plus open"],
  ["app.ts", "new Money(f(1))", 5, "Money: plus open"],
  ["app.ts", "new shop.Money()", 5, "Money: plus open"],
  ["app.ts", "new Money().plus()", 5, "null: "],
  // Of another package, whatever is called the same here.
  ["app.ts", "r", 5, "null: "],
  // Not imported, so perhaps global.
  ["app.ts", "w", 5, "Wallet: left"],
])(
  "of the class that is in scope, its own members and inherited ones: %s %s",
  (path, expression, line, expected) => {
    using index = indexedFiles(files);
    const { type, members } = membersAt(index.db, { path, expression, line });
    expect(`${type}: ${members.map(({ name }) => name).join(" ")}`).toBe(expected);
  },
);
