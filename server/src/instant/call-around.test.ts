import { describe, expect, test } from "vitest";
import { callAround, parametersOf } from "./call-around.ts";

describe("the call around the cursor", () => {
  test.each([
    ["const t = total(", { callee: { name: "total", receiver: null }, argument: 0, isAtStart: true }],
    [
      "money.format(sum(a, b), ",
      { callee: { name: "format", receiver: "money" }, argument: 1, isAtStart: true },
    ],
    ["this.db.run(query", { callee: { name: "run", receiver: "this.db" }, argument: 0, isAtStart: false }],
    ["Vec::push([1, 2], ", { callee: { name: "push", receiver: "Vec" }, argument: 1, isAtStart: true }],
    [
      "money.format(\"a, b(\", 'it\\'s, c', ",
      { callee: { name: "format", receiver: "money" }, argument: 2, isAtStart: true },
    ],
    ["keep(&'a one, &'b two, ", { callee: { name: "keep", receiver: null }, argument: 2, isAtStart: true }],
  ])("of %j is the innermost that is open", (left, call) => {
    expect(callAround(left)).toEqual(call);
  });

  test.each(["total()", "if (", "def total(", "func (o *Order) Total(", "call([", "a, b", "(", "f({ "])(
    "of %j is none",
    (left) => {
      expect(callAround(left)).toBeUndefined();
    },
  );
});

test.each([
  ["total(lines: Line[], tax = 0): number", ["lines", "tax"]],
  ["def total(self, lines: dict[str, int], *, tax: float = 0, **rest)", ["lines", "tax", "rest"]],
  ["func (o *Order) total(ctx context.Context, tax float64) float64", ["ctx", "tax"]],
  ["pub fn total<T>(&mut self, mut tax: T, rate: f64) -> f64", ["tax", "rate"]],
  ["public static int total(final List<Line> lines, int tax)", ["lines", "tax"]],
  ["def total(parts, end=')', separator=\", \", tax=0)", ["parts", "end", "separator", "tax"]],
  ["fn total<'a, 'b>(lines: &'a str, tax: &'b str)", ["lines", "tax"]],
  [
    'int total(@Nullable String name, @Param(value = "x") long id, final byte[] data)',
    ["name", "id", "data"],
  ],
  ["total({ a, b }: Options, done: () => void)", ["", "done"]],
  ["total()", []],
])("the parameters of %s", (signature, names) => {
  expect(parametersOf(signature, "total")).toEqual(names);
});
