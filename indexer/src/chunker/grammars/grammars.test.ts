import { expect, test } from "vitest";
import { renderSymbols } from "../testing/render.ts";

test("TypeScript: classes, overloads, namespaces, bound functions, and what is exported", () => {
  const source = `
/** A bill. */
@Entity()
export class Invoice<T extends Line> extends Document implements Printable {
  @Column() number = "x";
  private readonly rate: number = 0.2;
  #cache = 2;
  onPaid = (at: Date): void => { this.#cache++; };
  /** In cents. */
  @Get("/total")
  async total(
    lines: T[], // all of them
    { vat = 0 }: Options,
  ): Promise<number> { return 1; }
  constructor(private store: Store) { super(); }
  get due(): Date { return now(); }
  pay(amount: string): void;
  pay(amount: number): void;
  pay(amount: any) {}
  static { register(); }
  [key: string]: unknown;
}
export default async function main(args: string[]) {}
export function parse(text: string): Bill;
export function parse(text: any) { function inner() {} const local = 1; const helper = () => 2; }
declare function ambient(x: number): void;
declare module "shop" { export const currency: string; }
namespace Tax.Rates { export function of(country: string) {} }
export const enum Color { Red = 1, Green }
interface Line extends Base { price: number; sum(n: number): number; readonly tag?: { d: 1 } }
type Options = { vat?: number; round(): void };
type Id = string | number;
export const load = async <T,>(id: T): Promise<T> => { return id; }, limit = 2;
const { a, b: renamed, c = a, ...rest } = read();
const hidden = 1, shown = [1, 2];
export { shown as visible };
abstract class Shape { abstract area(): number }
export const Square = class { side = 1 };
if (debug) { const inBlock = 1; function log() {} }
`;
  expect(renderSymbols("a.ts", source)).toMatchInlineSnapshot(`
    "2-22 + class Invoice: class Invoice<T extends Line> extends Document implements Printable
    5-5 + variable Invoice › number: number = "x"
    6-6 - variable Invoice › rate: private readonly rate: number = 0.2
    7-7 - variable Invoice › #cache: #cache = 2
    8-8 + method Invoice › onPaid: onPaid = (at: Date): void =>
    9-14 + method Invoice › total: async total(lines: T[], { vat = 0 }: Options): Promise<number>
    15-15 + method Invoice › constructor: constructor(private store: Store)
    15-15 - variable Invoice › store: private store: Store
    16-16 + method Invoice › due: get due(): Date
    17-17 + method Invoice › pay: pay(amount: string): void
    18-18 + method Invoice › pay: pay(amount: number): void
    19-19 + method Invoice › pay: pay(amount: any)
    23-23 + function main: async function main(args: string[])
    24-24 + function parse: function parse(text: string): Bill
    25-25 + function parse: function parse(text: any)
    25-25 - function parse › inner: function inner()
    25-25 - function parse › helper: const helper = () =>
    26-26 + function ambient: function ambient(x: number): void
    27-27 + module shop: module "shop"
    27-27 + variable shop › currency: const currency: string
    28-28 - module Tax.Rates: namespace Tax.Rates
    28-28 - function Tax.Rates › of: function of(country: string)
    29-29 + enum Color: const enum Color
    29-29 + variable Color › Red: Red = 1
    29-29 + variable Color › Green: Green
    30-30 - interface Line: interface Line extends Base
    30-30 - variable Line › price: price: number
    30-30 - method Line › sum: sum(n: number): number
    30-30 - variable Line › tag: readonly tag?: { d: 1 }
    31-31 - type Options: type Options
    31-31 - variable Options › vat: vat?: number
    31-31 - method Options › round: round(): void
    32-32 - type Id: type Id = string | number
    33-33 + function load: const load = async <T,>(id: T): Promise<T> =>
    33-33 + variable limit: const limit = 2
    34-34 - variable a: const { a, b: renamed, c = a, ...rest } = read()
    34-34 - variable renamed: const { a, b: renamed, c = a, ...rest } = read()
    34-34 - variable c: const { a, b: renamed, c = a, ...rest } = read()
    34-34 - variable rest: const { a, b: renamed, c = a, ...rest } = read()
    35-35 - variable hidden: const hidden = 1
    35-35 + variable shown: const shown = [1, 2]
    37-37 - class Shape: abstract class Shape
    37-37 - method Shape › area: abstract area(): number
    38-38 + class Square: const Square = class
    38-38 + variable Square › side: side = 1
    39-39 - function log: function log()"
  `);
});

test("TSX: components and the functions inside them", () => {
  const source = `export function Cart({ items }: Props) {
  const [open, setOpen] = useState(false);
  const onClick = () => setOpen(true);
  return <ul onClick={onClick}>{items.map((i) => <Item key={i} />)}</ul>;
}
const Item = memo(() => <li />);
`;
  expect(renderSymbols("a.tsx", source)).toMatchInlineSnapshot(`
    "1-5 + function Cart: function Cart({ items }: Props)
    3-3 - function Cart › onClick: const onClick = () =>
    6-6 - variable Item: const Item = memo(() => <li />)"
  `);
});

test("JavaScript: CommonJS, prototypes, and class members", () => {
  const source = `'use strict'
const fs = require("fs"), { join } = require("path").posix;
exports.parse = function parse(text) { return text };
App.prototype.use = function use(fn) {};
app.start = async () => {};
app.name = "x";
class Queue { static size = 1; #take() {} 'quoted-name'() {} [Symbol.iterator]() {} *all() {} }
function* walk() {}
let count = 1;
function createApp() {}
module.exports = { Queue, walk: walk, count };
exports = module.exports = createApp;
`;
  expect(renderSymbols("a.js", source)).toMatchInlineSnapshot(`
    "3-3 + function parse: exports.parse = function parse(text)
    4-4 + function App › use: App.prototype.use = function use(fn)
    5-5 + function app › start: app.start = async () =>
    7-7 + class Queue: class Queue
    7-7 + variable Queue › size: static size = 1
    7-7 - method Queue › #take: #take()
    7-7 + method Queue › quoted-name: 'quoted-name'()
    7-7 + method Queue › [Symbol.iterator]: [Symbol.iterator]()
    7-7 + method Queue › all: *all()
    8-8 + function walk: function* walk()
    9-9 + variable count: let count = 1
    10-10 + function createApp: function createApp()"
  `);
});

test("Python: decorated, async and nested definitions, fields, module-level names", () => {
  const source = `"""Module."""
from __future__ import annotations
LIMIT = 1
rate: float = 0.2
first, (second, third) = 1, (2, 3)
type Pairs[T] = list[tuple[T, T]]
_private = object()
config.debug = True
@retry(times=3)
@cache
async def fetch(
    url: str, *rest,  # all
    **options,
) -> bytes:
    """Fetches."""
    def inner(): pass
    local = 1
    return b""
@dataclass
class Invoice(Base, metaclass=Meta):
    """A bill."""
    number: int
    lines = []
    # In cents.
    @property
    def total(self) -> int: return 1
    def __init__(self): self.x = 1
    def _hidden(self): pass
    class Meta:
        ordering = 1
if TYPE_CHECKING:
    flag = 1
`;
  expect(renderSymbols("a.py", source)).toMatchInlineSnapshot(`
    "3-3 + variable LIMIT: LIMIT = 1
    4-4 + variable rate: rate: float = 0.2
    5-5 + variable first: first, (second, third) = 1, (2, 3)
    5-5 + variable second: first, (second, third) = 1, (2, 3)
    5-5 + variable third: first, (second, third) = 1, (2, 3)
    6-6 + type Pairs: type Pairs[T] = list[tuple[T, T]]
    7-7 - variable _private: _private = object()
    9-18 + function fetch: async def fetch(url: str, *rest, **options) -> bytes
    16-16 - function fetch › inner: def inner()
    19-30 + class Invoice: class Invoice(Base, metaclass=Meta)
    22-22 + variable Invoice › number: number: int
    23-23 + variable Invoice › lines: lines = []
    24-26 + method Invoice › total: def total(self) -> int
    27-27 + method Invoice › __init__: def __init__(self)
    27-27 + variable Invoice › x: self.x = 1
    28-28 - method Invoice › _hidden: def _hidden(self)
    29-30 + class Invoice › Meta: class Meta
    30-30 + variable Invoice.Meta › ordering: ordering = 1
    32-32 + variable flag: flag = 1"
  `);
});

test("Go: receivers, type specs, grouped constants", () => {
  const source = `// Package shop sells.
package shop

import "fmt"

// Server serves.
type Server struct {
	Name string \`json:"name"\`
	a, b int
	sync.Mutex
}

type (
	ID     int
	Runner interface {
		Run(ctx context.Context) error
		fmt.Stringer
	}
	Set[T comparable] struct{ items map[T]bool }
	Alias = string
)

const (
	// First is first.
	First = iota
	second
)

const One, two = 1, 2

var (
	ready = true
	Total int
)

// Run runs.
func (s *Server[T]) Run(ctx context.Context) (int, error) { return 1, nil }

func Map[T any](xs []T) []T {
	type local struct{}
	return xs
}
`;
  expect(renderSymbols("a.go", source)).toMatchInlineSnapshot(`
    "6-11 + class Server: type Server struct
    10-10 + variable Server › Mutex: sync.Mutex
    8-8 + variable Server › Name: Name string \`json:"name"\`
    9-9 - variable Server › a: a, b int
    9-9 - variable Server › b: a, b int
    14-14 + type ID: type ID int
    15-18 + interface Runner: type Runner interface
    16-16 + method Runner › Run: Run(ctx context.Context) error
    19-19 + class Set: type Set[T comparable] struct
    19-19 - variable Set › items: items map[T]bool
    20-20 + type Alias: type Alias = string
    24-25 + variable First: const First = iota
    26-26 - variable second: const second
    29-29 + variable One: const One, two = 1, 2
    29-29 - variable two: const One, two = 1, 2
    32-32 - variable ready: var ready = true
    33-33 + variable Total: var Total int
    36-37 + method Server › Run: func (s *Server[T]) Run(ctx context.Context) (int, error)
    39-42 + function Map: func Map[T any](xs []T) []T
    40-40 - class Map › local: type local struct"
  `);
});

test("Rust: impl blocks, traits, modules, macros, attributes", () => {
  const source = `//! Crate.
use std::fmt;

/// A bill.
#[derive(Debug)]
pub struct Invoice<T> where T: Line { pub number: u8, lines: T }
pub struct Pair(u8, pub u16);
struct Unit;
pub(crate) enum Color { Red, Rgb(u8, u8), Named { name: String } }
pub trait Printable: Super { const WIDTH: u8; type Out; fn print(&self) -> u8; fn flush() {} }
impl<T> fmt::Display for model::Invoice<T> { fn fmt(&self) -> fmt::Result { Ok(()) } }
impl Invoice<u8> {
    pub const MAX: u8 = 1;
    /// In cents.
    #[must_use]
    pub async fn total(&self) -> u64 { 1 }
    fn secret(&self) {}
}
impl Printable for &mut [u8] {}
mod tax { pub fn rate() {} }
pub mod api { pub fn get() {} fn hidden() {} }
pub const LIMIT: u8 = 1;
static mut COUNT: u8 = 1;
type Lines<T> = Vec<T>;
#[macro_export]
macro_rules! bill { ($x:expr) => { $x }; }
macro_rules! private { () => {}; }
pub union Bits { a: u8 }
fn top<'a>(x: &'a str) -> &'a str where X: Y { fn nested() {} x }
extern "C" { fn native(x: i32); }
`;
  expect(renderSymbols("a.rs", source)).toMatchInlineSnapshot(`
    "4-6 + class Invoice: pub struct Invoice<T> where T: Line
    6-6 + variable Invoice › number: pub number: u8
    6-6 - variable Invoice › lines: lines: T
    7-7 + class Pair: pub struct Pair(u8, pub u16)
    8-8 - class Unit: struct Unit
    9-9 + enum Color: pub(crate) enum Color
    9-9 + variable Color › Red: Red
    9-9 + variable Color › Rgb: Rgb(u8, u8)
    9-9 + variable Color › Named: Named { name: String }
    10-10 + interface Printable: pub trait Printable: Super
    10-10 + variable Printable › WIDTH: const WIDTH: u8
    10-10 + type Printable › Out: type Out
    10-10 + method Printable › print: fn print(&self) -> u8
    10-10 + method Printable › flush: fn flush()
    11-11 + method Invoice › fmt: fn fmt(&self) -> fmt::Result
    13-13 + variable Invoice › MAX: pub const MAX: u8 = 1
    14-16 + method Invoice › total: pub async fn total(&self) -> u64
    17-17 - method Invoice › secret: fn secret(&self)
    20-20 - module tax: mod tax
    20-20 - function tax › rate: pub fn rate()
    21-21 + module api: pub mod api
    21-21 + function api › get: pub fn get()
    21-21 - function api › hidden: fn hidden()
    22-22 + variable LIMIT: pub const LIMIT: u8 = 1
    23-23 - variable COUNT: static mut COUNT: u8 = 1
    24-24 - type Lines: type Lines<T> = Vec<T>
    25-26 + function bill: macro_rules! bill
    27-27 - function private: macro_rules! private
    28-28 + class Bits: pub union Bits
    28-28 - variable Bits › a: a: u8
    29-29 - function top: fn top<'a>(x: &'a str) -> &'a str where X: Y
    29-29 - function top › nested: fn nested()
    30-30 - function native: fn native(x: i32)"
  `);
});

test("Java: classes, records, enums, interfaces, generics, annotations", () => {
  const source = `package shop;

import java.util.List;

/** A bill. */
@Entity
public class Invoice<T extends Line> extends Document implements Printable {
  @Id private static final int MAX = 1, MIN = 2;
  public Invoice(int number) { this.number = number; }
  /** Maps. */
  @Override
  public <R> R map(Function<T, R> f) throws Bad { return null; }
  static class Inner { public void run() {} }
  static { init(); }
  abstract void close();
}
public record Point(int x, int y) implements Shape { Point { check(); } public int sum() { return x + y; } }
public enum Color { RED(1), BLUE { void f() {} }; private final int v; Color(int v) { this.v = v; } public int get() { return v; } }
public interface Printable permits Invoice { int WIDTH = 1; void print(); default void flush() {} }
@interface Marker { String value() default ""; }
class Hidden { public void shown() {} }
`;
  expect(renderSymbols("A.java", source)).toMatchInlineSnapshot(`
    "5-16 + class Invoice: public class Invoice<T extends Line> extends Document implements Printable
    8-8 - variable Invoice › MAX: private static final int MAX = 1
    8-8 - variable Invoice › MIN: private static final int MIN = 2
    9-9 + method Invoice › Invoice: public Invoice(int number)
    10-12 + method Invoice › map: public <R> R map(Function<T, R> f) throws Bad
    13-13 - class Invoice › Inner: static class Inner
    13-13 - method Invoice.Inner › run: public void run()
    15-15 - method Invoice › close: abstract void close()
    17-17 + class Point: public record Point(int x, int y) implements Shape
    17-17 + variable Point › x: int x
    17-17 + variable Point › y: int y
    17-17 - method Point › Point: Point
    17-17 + method Point › sum: public int sum()
    18-18 + enum Color: public enum Color
    18-18 + variable Color › RED: RED(1)
    18-18 + variable Color › BLUE: BLUE
    18-18 - method Color.BLUE › f: void f()
    18-18 - variable Color › v: private final int v
    18-18 - method Color › Color: Color(int v)
    18-18 + method Color › get: public int get()
    19-19 + interface Printable: public interface Printable permits Invoice
    19-19 + variable Printable › WIDTH: int WIDTH = 1
    19-19 + method Printable › print: void print()
    19-19 + method Printable › flush: default void flush()
    20-20 - interface Marker: @interface Marker
    20-20 - method Marker › value: String value() default ""
    21-21 - class Hidden: class Hidden
    21-21 - method Hidden › shown: public void shown()"
  `);
});

test("TypeScript and JavaScript: objects of functions, whoever they are handed to", () => {
  const source = `export const api = {
  base: "/v1",
  async get<T>(path: string): Promise<T> { const local = 1; },
  /** Posts. */
  "post-it": (path: string) => fetch(path),
  put: function put(path: string) {},
  admin: { remove(id: string) {} },
  get limit() { return 1; },
  ...others, short,
};
module.exports = { list() {}, size: 1, create: async (a) => a };
module.exports.clear = () => {};
Cart.prototype = { add(line) {} };
handlers.click = { down(event) {} };
const routes = { home: "/", about: "/about" };
const nested = { a: { b: { c() {} } } };
function outer() { const inner = { no() {} }; return { neither() {} }; }
`;
  expect(renderSymbols("a.ts", source)).toMatchInlineSnapshot(`
    "1-10 + variable api: const api
    3-3 + method api › get: async get<T>(path: string): Promise<T>
    4-5 + method api › post-it: "post-it": (path: string) =>
    6-6 + method api › put: put: function put(path: string)
    7-7 + method api.admin › remove: remove(id: string)
    8-8 + method api › limit: get limit()
    11-11 + method list: list()
    11-11 + method create: create: async (a) =>
    12-12 + function clear: module.exports.clear = () =>
    13-13 + method Cart › add: add(line)
    14-14 + variable handlers › click: handlers.click
    14-14 + method handlers.click › down: down(event)
    15-15 - variable routes: const routes = { home: "/", about: "/about" }
    16-16 - variable nested: const nested
    16-16 - method nested.a.b › c: c()
    17-17 - function outer: function outer()"
  `);
});

test("Vue's options, however the component is exported", () => {
  const options = `{
  name: "Cart",
  props: { lines: Array },
  data() { return { open: false }; },
  computed: { total() { return 1; }, store: { get() {}, set(v) {} } },
  methods: {
    async add(line) {},
  },
}`;
  const plain = renderSymbols("a.js", `export default ${options};`);
  expect(plain).toMatchInlineSnapshot(`
    "4-4 + method data: data()
    5-5 + method computed › total: total()
    5-5 + method computed.store › get: get()
    5-5 + method computed.store › set: set(v)
    7-7 + method methods › add: async add(line)"
  `);
  for (const wrapped of [`defineComponent(${options})`, `Vue.extend(${options})`, `${options} as Component`])
    expect(renderSymbols("a.ts", `export default ${wrapped};`)).toBe(plain);
  expect(renderSymbols("a.js", `Vue.component("cart", ${options});`)).toBe(plain);
});

test("TypeScript: the fields that a constructor's parameters make", () => {
  const source = `class Cart {
  constructor(
    private readonly store: Store,
    public name = "x",
    readonly limit?: number,
    @Inject() protected clock: Clock,
    plain: string,
    { a }: Options,
  ) { super(); }
  method(plain: string) {}
}
`;
  expect(renderSymbols("a.ts", source)).toMatchInlineSnapshot(`
    "1-11 - class Cart: class Cart
    2-9 - method Cart › constructor: constructor(private readonly store: Store, public name = "x", readonly limit?: number, protected clock: Clock, plain: string, { a }: Options)
    3-3 - variable Cart › store: private readonly store: Store
    4-4 - variable Cart › name: public name = "x"
    5-5 - variable Cart › limit: readonly limit?: number
    6-6 - variable Cart › clock: protected clock: Clock
    10-10 - method Cart › method: method(plain: string)"
  `);
});

test("Python: fields that __init__ assigns, functions that are bound, and definitions under a condition", () => {
  const source = `if TYPE_CHECKING:
    from billing import Bill
    Lines = list[Bill]
elif sys.version_info > (3, 12):
    class Newer:
        def method(self): pass
else:
    # Slower.
    @cache
    def fallback(): pass
try:
    import json
except ImportError:
    json = None
finally:
    done = True
with suppress():
    opened = 1
if __name__ == "__main__":
    args = 1
    def main(): pass
double = lambda x: 2 * x
class Cart:
    if DEBUG:
        def dump(self): pass
    key = lambda line: line.id
    def __init__(self, store: Store):
        self.store = store
        self._lines: list[Line] = []
        if store:
            self.total, (self.count, _) = 0, (0, 1)
        self.store = None
        self.inner.value = 1
        other.x = 1
        local = 1
    def reset(self):
        self.late = 1
def outer():
    if True:
        limit = 1
        def inner(): pass
`;
  expect(renderSymbols("a.py", source)).toMatchInlineSnapshot(`
    "3-3 + variable Lines: Lines = list[Bill]
    5-6 + class Newer: class Newer
    6-6 + method Newer › method: def method(self)
    8-10 + function fallback: def fallback()
    14-14 + variable json: json = None
    16-16 + variable done: done = True
    18-18 + variable opened: opened = 1
    21-21 - function main: def main()
    22-22 + function double: double = lambda x: 2 * x
    23-37 + class Cart: class Cart
    25-25 + method Cart › dump: def dump(self)
    26-26 + method Cart › key: key = lambda line: line.id
    27-35 + method Cart › __init__: def __init__(self, store: Store)
    28-28 + variable Cart › store: self.store = store
    29-29 - variable Cart › _lines: self._lines: list[Line] = []
    31-31 + variable Cart › total: self.total, (self.count, _) = 0, (0, 1)
    31-31 + variable Cart › count: self.total, (self.count, _) = 0, (0, 1)
    36-37 + method Cart › reset: def reset(self)
    38-41 + function outer: def outer()
    41-41 - function outer › inner: def inner()"
  `);
});

test("Go: generic receivers, functions as values, embedded types", () => {
  const source = `package shop

type Set[T comparable] struct {
	*sync.Mutex
	Base[T]
	items map[T]struct{}
}

func (s *Set[T]) Add(x T) {}
func (Set[T]) Len() int { return 0 }
func (m Matrix[K, V]) Get(k K) V { return m[k] }
func Keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }

var now = func() time.Time { return time.Now() }
var _ Adder = (*Set[int])(nil)

type Number interface {
	~int | ~float64
	fmt.Stringer
	Add(Number) Number
}
type Handler func(w Writer) error
`;
  expect(renderSymbols("a.go", source)).toMatchInlineSnapshot(`
    "3-7 + class Set: type Set[T comparable] struct
    4-4 + variable Set › Mutex: sync.Mutex
    5-5 + variable Set › Base: Base[T]
    6-6 - variable Set › items: items map[T]struct{}
    9-9 + method Set › Add: func (s *Set[T]) Add(x T)
    10-10 + method Set › Len: func (Set[T]) Len() int
    11-11 + method Matrix › Get: func (m Matrix[K, V]) Get(k K) V
    12-12 + function Keys: func Keys[M ~map[K]V, K comparable, V any](m M) []K
    14-14 - function now: var now = func() time.Time
    17-21 + interface Number: type Number interface
    20-20 + method Number › Add: Add(Number) Number
    22-22 + type Handler: type Handler func(w Writer) error"
  `);
});

test("Rust: generic and blanket implementations, constants without a name, macros", () => {
  const source = `pub struct Stack<T, const N: usize>([T; N]);
impl<T: Clone, const N: usize> Stack<T, N> { pub fn push(&mut self, x: T) -> &mut Self { self } }
impl<T> From<Vec<T>> for Stack<T, 4> where T: Copy { fn from(v: Vec<T>) -> Self { todo!() } }
impl<T: Show> ShowAll for T { fn show_all(&self) {} }
impl ShowAll for (u8, u16) { fn show_all(&self) {} }
impl dyn Shape { pub fn area(&self) -> f64 { 0.0 } }
unsafe impl Send for Stack<u8, 1> {}
const _: () = assert!(true);
pub trait Walk<'a>: Iterator<Item = &'a u8> { type Out<T>; fn walk<F>(&'a self, f: F) where F: Fn(u8); }
macro_rules! vec_of { ($($x:expr),*) => { [$($x),*] }; }
fn outer() { struct Inner { x: u8 } impl Inner { fn get(&self) -> u8 { self.x } } }
`;
  expect(renderSymbols("a.rs", source)).toMatchInlineSnapshot(`
    "1-1 + class Stack: pub struct Stack<T, const N: usize>([T; N])
    2-2 + method Stack › push: pub fn push(&mut self, x: T) -> &mut Self
    3-3 + method Stack › from: fn from(v: Vec<T>) -> Self
    4-4 + method T › show_all: fn show_all(&self)
    5-5 + method (u8, u16) › show_all: fn show_all(&self)
    6-6 + method Shape › area: pub fn area(&self) -> f64
    9-9 + interface Walk: pub trait Walk<'a>: Iterator<Item = &'a u8>
    9-9 + type Walk › Out: type Out<T>
    9-9 + method Walk › walk: fn walk<F>(&'a self, f: F) where F: Fn(u8)
    10-10 - function vec_of: macro_rules! vec_of
    11-11 - function outer: fn outer()
    11-11 - class outer › Inner: struct Inner
    11-11 - method outer.Inner › get: fn get(&self) -> u8"
  `);
});

test("Java: sealed and generic types, inner classes, annotations with arguments", () => {
  const source = `public sealed interface Shape<T extends Comparable<T>> permits Circle, Square {}
final class Circle implements Shape<Integer> {
  @Column(name = "r", nullable = false)
  protected final double radius;
  public static <T extends Comparable<? super T>> T max(List<? extends T> xs) { class Local { void run() {} } return null; }
  enum Unit implements Named { MM { int size() { return 1; } }, CM; abstract int size(); }
  record Pair<A, B>(A first, @NonNull B second) { static int made = 0; }
  private class Inner { class Deep { Inner outer() { return Inner.this; } } }
}
`;
  expect(renderSymbols("A.java", source)).toMatchInlineSnapshot(`
    "1-1 + interface Shape: public sealed interface Shape<T extends Comparable<T>> permits Circle, Square
    2-9 - class Circle: final class Circle implements Shape<Integer>
    3-4 - variable Circle › radius: protected final double radius
    5-5 - method Circle › max: public static <T extends Comparable<? super T>> T max(List<? extends T> xs)
    5-5 - class Circle.max › Local: class Local
    5-5 - method Circle.max.Local › run: void run()
    6-6 - enum Circle › Unit: enum Unit implements Named
    6-6 - variable Circle.Unit › MM: MM
    6-6 - method Circle.Unit.MM › size: int size()
    6-6 - variable Circle.Unit › CM: CM
    6-6 - method Circle.Unit › size: abstract int size()
    7-7 - class Circle › Pair: record Pair<A, B>(A first, B second)
    7-7 - variable Circle.Pair › first: A first
    7-7 - variable Circle.Pair › second: B second
    7-7 - variable Circle.Pair › made: static int made = 0
    8-8 - class Circle › Inner: private class Inner
    8-8 - class Circle.Inner › Deep: class Deep
    8-8 - method Circle.Inner.Deep › outer: Inner outer()"
  `);
});

test("a long signature ends in … after 300 characters, on one line", () => {
  const parameters = Array.from({ length: 60 }, (_, i) => `  parameter${i}: number,`).join("\n");
  const signature = renderSymbols("a.ts", `function wide(\n${parameters}\n): void {}`)
    .split(": ")
    .slice(1)
    .join(": ");
  expect(signature).toHaveLength(300);
  expect(signature).toMatch(/^function wide\(parameter0: number, parameter1: .*…$/);
});

test("an anonymous default export has no symbol", () => {
  expect(renderSymbols("a.ts", "export default function () {}\nexport default class {}\n")).toBe("");
});
