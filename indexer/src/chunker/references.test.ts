import { expect, test } from "vitest";
import { MAX_REFERENCES } from "./references.ts";
import { analyze, renderReferences } from "./testing/render.ts";

test("TypeScript: calls, types, heritage, and the definition around each", () => {
  const source = `@Entity()
export class Invoice<T extends Line> extends base.Document<T> implements Printable, ns.Other<T> {
  private rate: Rate = load();
  total(lines: Map<string, Line[]>): Money {
    return this.rate.apply(sum(lines)!.value).add(new Money(1), new ns.Tax());
  }
  #hide() { this.#hide(); super.total(); }
}
interface Printable extends Base, ns.Shape<Line> {}
type Id<K> = K | Invoice<K>["number"];
const items = read?.()?.items?.map((item) => format(item));
function outer() { function inner() { return tag\`x\`; } return generic<Money>(inner()); }
run(), run();
export default new Server(typeof items);
`;
  expect(renderReferences("a.ts", source)).toMatchInlineSnapshot(`
    "1 call - › Entity in Invoice
    2 type - › Line in Invoice
    2 inherit base › Document in Invoice
    2 inherit - › Printable in Invoice
    2 inherit ns › Other in Invoice
    3 type - › Rate in Invoice.rate
    3 call - › load in Invoice.rate
    4 type - › Map in Invoice.total
    4 type - › Line in Invoice.total
    4 type - › Money in Invoice.total
    5 call this.rate › apply in Invoice.total
    5 call - › sum in Invoice.total
    5 call this.rate.apply(sum(lines).value) › add in Invoice.total
    5 call - › Money in Invoice.total
    5 call ns › Tax in Invoice.total
    7 call this › #hide in Invoice.#hide
    7 call super › total in Invoice.#hide
    9 inherit - › Base in Printable
    9 inherit ns › Shape in Printable
    9 type - › Line in Printable
    10 type - › Invoice in Id
    11 call - › read in items
    11 call read.().items › map in items
    11 call - › format in items
    12 call - › tag in outer.inner
    12 call - › generic in outer
    12 type - › Money in outer
    12 call - › inner in outer
    13 call - › run in -
    14 call - › Server in -"
  `);
});

test("TSX: a component is called, an HTML element is not", () => {
  const source = `export function Cart() {
  return <ul><Item.Row key={id()} /><Total>{1}</Total><li /></ul>;
}
`;
  expect(renderReferences("a.tsx", source)).toMatchInlineSnapshot(`
    "2 call Item › Row in Cart
    2 call - › id in Cart
    2 call - › Total in Cart"
  `);
});

test("JavaScript: heritage and calls; require is no call", () => {
  const source = `const fs = require("fs");
class A extends B { m() { fs.promises.readFile(); } }
class C extends lib.D {}
App.prototype.use = function use() { return new A(); };
`;
  expect(renderReferences("a.js", source)).toMatchInlineSnapshot(`
    "2 inherit - › B in A
    2 call fs.promises › readFile in A.m
    3 inherit lib › D in C
    4 call - › A in App.use"
  `);
});

test("Python: calls, decorators, annotations, bases", () => {
  const source = `@app.route("/")
@cached
def index(a: Optional[Invoice | model.Line], *b: Rate) -> "Page":
    return render(a.total(), len(b), list[int]())
class Invoice(Base, models.Model, Generic[T], metaclass=Meta):
    lines: List[Line] = field()
    def total(self) -> int:
        return self.rate.apply(super().total())
`;
  expect(renderReferences("a.py", source)).toMatchInlineSnapshot(`
    "1 call app › route in index
    2 call - › cached in index
    3 type - › Optional in index
    3 type - › Invoice in index
    3 type model › Line in index
    3 type - › Rate in index
    4 call - › render in index
    4 call a › total in index
    5 inherit - › Base in Invoice
    5 inherit models › Model in Invoice
    5 inherit - › Generic in Invoice
    6 type - › List in Invoice.lines
    6 type - › Line in Invoice.lines
    6 call - › field in Invoice.lines
    8 call self.rate › apply in Invoice.total
    8 call super() › total in Invoice.total"
  `);
});

test("Go: receivers, qualified types, embedding, generics; no built-in functions and types", () => {
  const source = `package shop

type Server[T any] struct {
	*Base
	http.Handler
	log Logger
	items map[string]T
}
type Runner interface { fmt.Stringer; Closer; Run(ctx context.Context) error }
func (s *Server[T]) Run(x int) (Result, error) {
	s.log.Info(len(s.items))
	return Map[Line](model.New(Config{Name: "x"})), fmt.Errorf("x")
}
`;
  expect(renderReferences("a.go", source)).toMatchInlineSnapshot(`
    "4 inherit - › Base in Server
    5 inherit http › Handler in Server
    6 type - › Logger in Server.log
    9 inherit fmt › Stringer in Runner
    9 inherit - › Closer in Runner
    9 type context › Context in Runner.Run
    10 type - › Server in Server.Run
    10 type - › Result in Server.Run
    11 call s.log › Info in Server.Run
    12 call - › Map in Server.Run
    12 type - › Line in Server.Run
    12 call model › New in Server.Run
    12 type - › Config in Server.Run
    12 call fmt › Errorf in Server.Run"
  `);
});

test("Rust: paths, methods, traits, and calls inside macros", () => {
  const source = `impl<T: Rate> fmt::Display for Invoice<T> {
    fn fmt(&self, f: &mut Formatter) -> Result<(), model::Error> {
        self.lines.iter().map(Line::total).sum::<u64>();
        crate::money::format(Self::new(1));
        assert_eq!(tax::of(&self), self.rate(2), "{}", other);
        log::info!("x");
        Invoice { number: parse::<Id>("1") }
    }
}
trait Priced: Display + model::Named {}
`;
  expect(renderReferences("a.rs", source)).toMatchInlineSnapshot(`
    "1 type - › Rate in Invoice
    1 inherit fmt › Display in Invoice
    1 type - › Invoice in Invoice
    2 type - › Formatter in Invoice.fmt
    2 type model › Error in Invoice.fmt
    3 call self.lines › iter in Invoice.fmt
    3 call self.lines.iter() › map in Invoice.fmt
    3 call self.lines.iter().map(Line::total) › sum in Invoice.fmt
    4 call crate::money › format in Invoice.fmt
    4 call Self › new in Invoice.fmt
    5 call tax › of in Invoice.fmt
    5 call self › rate in Invoice.fmt
    6 call log › info in Invoice.fmt
    7 type - › Invoice in Invoice.fmt
    7 call - › parse in Invoice.fmt
    7 type - › Id in Invoice.fmt
    10 inherit - › Display in Priced
    10 inherit model › Named in Priced"
  `);
});

test("Java: calls, creation, method references, heritage, annotations", () => {
  const source = `package shop;
@Entity(name = "x")
class Invoice<T> extends Document<T> implements Printable, Comparable<Invoice> {
  private final List<Line> lines = new ArrayList<>();
  @Override int total() {
    return lines.stream().map(Line::price).count() + helper(Tax.of(this.rate)) + super.total();
  }
  interface Shape extends Base {}
}
`;
  expect(renderReferences("A.java", source)).toMatchInlineSnapshot(`
    "2 type - › Entity in Invoice
    3 inherit - › Document in Invoice
    3 inherit - › Printable in Invoice
    3 inherit - › Comparable in Invoice
    3 type - › Invoice in Invoice
    4 type - › List in Invoice.lines
    4 type - › Line in Invoice.lines
    4 call - › ArrayList in Invoice.lines
    6 call lines › stream in Invoice.total
    6 call lines.stream() › map in Invoice.total
    6 call Line › price in Invoice.total
    6 call lines.stream().map(Line::price) › count in Invoice.total
    6 call - › helper in Invoice.total
    6 call Tax › of in Invoice.total
    6 call super › total in Invoice.total
    8 inherit - › Base in Invoice.Shape"
  `);
});

test("a receiver is one line, and only the start of a long one", () => {
  const source = `const done = builder
  .withName("a")!
  .build();
expect([${"1, ".repeat(60)}]).toEqual(1);
`;
  const receivers = analyze("a.ts", source).references.map((r) => r.receiver);
  expect(receivers).toEqual([
    "builder",
    `builder.withName("a")`,
    null,
    `expect([${"1, ".repeat(60)}`.slice(0, 59).concat("…"),
  ]);
});

test("a file of data keeps the first references", () => {
  const source = Array.from({ length: MAX_REFERENCES + 10 }, (_, i) => `add(${i});`).join("\n");
  const { references } = analyze("a.ts", source);
  expect(references.length).toBe(MAX_REFERENCES);
  expect(references.at(-1)?.line).toBe(MAX_REFERENCES);
});
