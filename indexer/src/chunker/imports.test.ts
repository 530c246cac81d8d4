import { expect, test } from "vitest";
import { MAX_IMPORTS } from "./imports.ts";
import { analyze, renderImports } from "./testing/render.ts";

test("TypeScript: every form of import and export", () => {
  const source = `import x, { a as b, type t } from "./m";
import type { c } from 'd';
import * as n from "n";
import y, * as z from "n";
import "./side";
import e = require("e");
import F = NS.G;
import { default as g, "quoted name" as q } from "./h";
export { h, i as j } from "k";
export { default } from "k";
export { default as K } from "k";
export * from "p";
export * as r from "p";
export type { T } from "p";
export { b, b as renamed, own as public };
export default x;
export = x;
`;
  expect(renderImports("a.ts", source)).toMatchInlineSnapshot(`
    "1 - "./m": "default" as "x"
    1 - "./m": "a" as "b"
    1 - "./m": "t" as "t"
    2 - "d": "c" as "c"
    3 - "n": "*" as "n"
    4 - "n": "default" as "y"
    4 - "n": "*" as "z"
    5 - "./side": "" as ""
    6 - "e": "*" as "e"
    8 - "./h": "default" as "g"
    8 - "./h": "quoted name" as "q"
    9 + "k": "h" as "h"
    9 + "k": "i" as "j"
    10 + "k": "default" as "default"
    11 + "k": "default" as "K"
    12 + "p": "*" as ""
    13 + "p": "*" as "r"
    14 + "p": "T" as "T"
    15 + "./m": "a" as "b"
    15 + "./m": "a" as "renamed"
    15 + "": "own" as "public"
    16 + "./m": "default" as "default"
    17 + "./m": "default" as "default""
  `);
});

test("TypeScript: a default export under its own name reads as an import from the file itself", () => {
  expect(renderImports("a.ts", "export default class Cart {}")).toMatchInlineSnapshot(
    `"1 + "": "Cart" as "default""`,
  );
  expect(renderImports("a.ts", "export default function () {}")).toBe("");
  expect(renderImports("a.ts", "@view export default class Page {}")).toBe(`1 + "": "Page" as "default"`);
  expect(renderImports("a.ts", "export const total = 1;")).toBe("");
});

test("TypeScript: what is loaded while running", () => {
  const source = `const lazy = await import("./lazy");
const { one, two: three } = await import("./lazy");
import("./later").then((m) => m.run());
const view = () => import("./view");
const shown = (await import("./shown")).default;
await import(name);
function load() { return require("./inside"); }
`;
  expect(renderImports("a.ts", source)).toMatchInlineSnapshot(`
    "1 - "./lazy": "*" as "lazy"
    2 - "./lazy": "one" as "one"
    2 - "./lazy": "two" as "three"
    3 - "./later": "" as ""
    4 - "./view": "" as ""
    5 - "./shown": "default" as "shown"
    7 - "./inside": "" as """
  `);
});

test("JavaScript: CommonJS", () => {
  const source = `const { v, w: z = 2, ...rest } = require("u"), y = require("y").g;
var whole = require("whole");
require("./side");
module.exports = createApp;
exports = module.exports = { a, b: c, "d": e, f() {}, g: 1, ...require("./h") };
exports.i = j;
module.exports.k = require("./k");
module.exports = require("./lib");
exports.l = require("./l").m;
local = other;
`;
  expect(renderImports("a.js", source)).toMatchInlineSnapshot(`
    "1 - "u": "v" as "v"
    1 - "u": "w" as "z"
    1 - "y": "g" as "y"
    2 - "whole": "*" as "whole"
    3 - "./side": "" as ""
    4 + "": "createApp" as "default"
    5 + "": "c" as "b"
    5 + "": "e" as "d"
    5 - "./h": "" as ""
    6 + "": "j" as "i"
    7 + "./k": "*" as "k"
    8 + "./lib": "*" as ""
    9 + "./l": "m" as "l""
  `);
});

test("Python: every form, and what a function imports is its own", () => {
  const source = `import a.b as c, d
import e.f
from ..x import (
    y as z,
    w,
)
from . import q
from . m import *
from __future__ import annotations
try:
    import fast
except ImportError:
    fast = None
def f():
    from .late import g
class K:
    import inner
`;
  expect(renderImports("a.py", source)).toMatchInlineSnapshot(`
    "1 + "a.b": "" as "c"
    1 + "d": "" as "d"
    2 + "e.f": "" as "e.f"
    4 + "..x": "y" as "z"
    5 + "..x": "w" as "w"
    7 + ".": "q" as "q"
    8 + ".m": "*" as ""
    11 + "fast": "" as "fast"
    15 - ".late": "g" as "g"
    17 + "inner": "" as "inner""
  `);
});

test("Go: the name of a package by custom, aliases, dot and blank", () => {
  const source = `package shop

import "fmt"
import (
	m "example.com/model"
	. "example.com/dsl"
	_ "example.com/driver"
	"example.com/api/v2"
	"gopkg.in/yaml.v3"
	"github.com/mattn/go-isatty"
	"v1"
)
`;
  expect(renderImports("a.go", source)).toMatchInlineSnapshot(`
    "3 - "fmt": "" as "fmt"
    5 - "example.com/model": "" as "m"
    6 - "example.com/dsl": "*" as ""
    7 - "example.com/driver": "" as ""
    8 - "example.com/api/v2": "" as "api"
    9 - "gopkg.in/yaml.v3": "" as "yaml"
    10 - "github.com/mattn/go-isatty": "" as "isatty"
    11 - "v1": "" as "v1""
  `);
});

test("Rust: use trees, modules, crates", () => {
  const source = `use a::{b, c::{self, d as e}, f::*};
pub(crate) use self::g;
pub use super::super::h::I as J;
use k as _;
use ::std::io;
use l;
use m::*;
use {n::o, p};
use crate::
    q::r;
extern crate s as t;
extern crate u;
pub mod v;
mod w;
mod inline { use super::x; }
`;
  expect(renderImports("a.rs", source)).toMatchInlineSnapshot(`
    "1 - "a": "b" as "b"
    1 - "a::c": "" as "c"
    1 - "a::c": "d" as "e"
    1 - "a::f": "*" as ""
    2 + "self": "g" as "g"
    3 + "super::super::h": "I" as "J"
    4 - "k": "" as ""
    5 - "std": "io" as "io"
    6 - "l": "" as "l"
    7 - "m": "*" as ""
    8 - "n": "o" as "o"
    8 - "p": "" as "p"
    9 - "crate::q": "r" as "r"
    11 - "s": "" as "t"
    12 - "u": "" as "u"
    13 + "self::v": "" as "v"
    14 - "self::w": "" as "w"
    15 - "super": "x" as "x""
  `);
});

test("Java: classes, packages and static members", () => {
  const source = `package p;
import a.b.C;
import a.b.*;
import static a.D.e;
import static a.D.*;
import Plain;
class X {}
`;
  expect(renderImports("A.java", source)).toMatchInlineSnapshot(`
    "2 - "a.b.C": "C" as "C"
    3 - "a.b": "*" as ""
    4 - "a.D": "e" as "e"
    5 - "a.D": "*" as ""
    6 - "Plain": "Plain" as "Plain""
  `);
});

test("a component's script counts lines in the file", () => {
  const source = `<template><p/></template>
<script setup>
import Cart from "./Cart.vue";
</script>
`;
  expect(renderImports("a.vue", source)).toBe(`3 - "./Cart.vue": "default" as "Cart"`);
});

test("a file that imports without end keeps the first of them", () => {
  const source = Array.from({ length: MAX_IMPORTS + 10 }, (_, i) => `import a${i} from "./a${i}";`).join(
    "\n",
  );
  expect(analyze("a.ts", source).imports.length).toBe(MAX_IMPORTS);
});
