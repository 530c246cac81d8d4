import { expect, test } from "vitest";
import { declaredType } from "./receiver-type.ts";
import type { Family } from "./resolve/languages.ts";

test.each<[Family, string, string | undefined]>([
  ["ecmascript", "function pay(v: Invoice) {", "Invoice"],
  ["ecmascript", "constructor(private v?: shop.Invoice) {", "shop.Invoice"],
  ["ecmascript", "const v: Map<string, Line> = new Other();", "Other"],
  ["ecmascript", "let v = await new Invoice(1);", "Invoice"],
  ["ecmascript", "function pay(v: Line[]) {", undefined],
  ["ecmascript", "const v = create();", undefined],
  ["ecmascript", "const v2: Line, av: Other;", undefined],
  ["python", "def pay(v: Invoice, w: Line):", "Invoice"],
  ["python", "def pay(v: 'shop.Invoice' = None):", "shop.Invoice"],
  ["python", "v: list[Line] = []", undefined],
  ["python", "v = shop.Invoice(1)", "shop.Invoice"],
  ["python", "v = load(1)", undefined],
  ["python", "with Session(1) as v:", "Session"],
  ["python", "if isinstance(v, Invoice):", "Invoice"],
  ["go", "func Pay(v *Invoice, w int) {", "Invoice"],
  ["go", "func Pay(v, w model.Invoice) {", "model.Invoice"],
  ["go", "\tvar v Invoice\n", "Invoice"],
  ["go", "\tv := &model.Invoice{Total: 1}\n", "model.Invoice"],
  ["go", "\tv := new(Invoice)\n", "Invoice"],
  ["go", "\tv := Load()\n", undefined],
  ["rust", "fn pay(v: &'a mut Invoice<T>) {", "Invoice"],
  ["rust", "let v = model::Invoice::new(1);", "model::Invoice"],
  ["rust", "let mut v = Invoice { total: 1 };", "Invoice"],
  ["rust", "fn pay(v: Option<Line>) {", "Option"],
  ["java", "void pay(List<Line> w, Invoice v) {", "Invoice"],
  ["java", "private final shop.Invoice<Line> v = load();", "shop.Invoice"],
  ["java", "var v = new Invoice();", "Invoice"],
  ["java", "return v", undefined],
])("%s: %s → %s", (family, text, type) => {
  expect(declaredType(family, "v", text)).toBe(type);
});

test("the nearest declaration counts", () => {
  expect(declaredType("python", "v", "v = A()\nv = B()\n")).toBe("B");
});

test.each<[Family, string, string, string | undefined]>([
  ["ecmascript", "#items", "  #items: Items;", "Items"],
  ["ecmascript", "$v", "function pay($v: Invoice) {", "Invoice"],
  ["ecmascript", "v", "#v: Line; $v: Line; v$: Line;", undefined],
  ["ecmascript", "größe", "function pay(größe: Größe) {", "Größe"],
  ["ecmascript", "t", "été: Line, ét: Other", undefined],
  ["python", "größe", "größe = Übergröße(1)", "Übergröße"],
  ["go", "größe", "func Pay(größe *Größe) {", "Größe"],
  ["rust", "größe", "let größe = Größe::new(1);", "Größe"],
  ["java", "größe", "Übergröße größe;", "Übergröße"],
])("%s: names with any letter, %s: %s → %s", (family, variable, text, type) => {
  expect(declaredType(family, variable, text)).toBe(type);
});
