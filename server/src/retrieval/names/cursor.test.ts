import { expect, test } from "vitest";
import { receiverBefore } from "./cursor.ts";

test.each([
  ["x = invoice.", "invoice"],
  ["pay(this.invoice?.", "this.invoice"],
  ["x = invoice.lines(a, (b))[0].", "invoice.lines(a, (b))[0]"],
  ["let t = shop::Invoice::", "shop::Invoice"],
  ["items!.", "items"],
  ["f(größe.", "größe"],
  ["x = invoice", null],
  ["1 + .", null],
  ["for i in 0..", null],
  ["call(a)\n  .", null],
  ["unmatched).", null],
])("before the dot of %j stands %j", (left, receiver) => {
  expect(receiverBefore(left)).toBe(receiver);
});
