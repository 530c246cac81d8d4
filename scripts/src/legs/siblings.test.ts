import { siblingsLeg } from "@dhi/server/retrieval/legs/siblings";
import { expect, test } from "vitest";
import { foundBy } from "../testing/leg-answers.ts";

const found = async (files: Readonly<Record<string, string>>, path: string) =>
  (await foundBy(siblingsLeg, files, path)).map((one) => `${one.path} ${one.name}`);

const shape = (name: string, method: string) =>
  `import { Shape } from "./shape";\nexport class ${name} extends Shape {\n  ${method}() {\n    return 1;\n  }\n}\n`;

test("the same method in classes of the same base, the nearest first", async () => {
  const files = {
    "src/shape.ts": "export abstract class Shape { abstract area(): number; }\n",
    "src/far/deep/circle.ts": shape("Circle", "area").replace("./shape", "../../shape"),
    "src/square.ts": shape("Square", "area"),
    "src/unrelated.ts": "export class Other {\n  area() {}\n}\n",
    "src/triangle.ts": shape("Triangle", "area").replace("return 1", "█"),
  };
  const all = await foundBy(siblingsLeg, files, "src/triangle.ts");
  expect(all.map(({ path, name }) => `${path} ${name}`)).toEqual([
    "src/square.ts area",
    "src/far/deep/circle.ts area",
  ]);
  expect(all[0]?.text).toBe("  area() {\n    return 1;\n  }");
});

test("a Rust trait's other implementations", async () => {
  const implement = (name: string, body: string) =>
    `use crate::Shape;\npub struct ${name};\nimpl Shape for ${name} {\n    fn area(&self) -> u32 {\n        ${body}\n    }\n}\n`;
  const files = {
    "Cargo.toml": '[package]\nname = "shapes"\n',
    "src/lib.rs": "mod square;\nmod circle;\npub trait Shape { fn area(&self) -> u32; }\n",
    "src/square.rs": implement("Square", "1"),
    "src/circle.rs": implement("Circle", "█"),
  };
  expect(await found(files, "src/circle.rs")).toContain("src/square.rs area");
});

test("functions of the same name in files nearby, where no class is shared", async () => {
  const files = {
    "handlers/order.py": "def handle(request):\n    return 1\n",
    "handlers/user.py": "def handle(request):\n    █\n",
    "other/deep/x.py": "def handle(request):\n    return 2\n",
    "handlers/user.go": "package a\nfunc handle() {}\n",
  };
  expect(await found(files, "handlers/user.py")).toEqual([
    "handlers/order.py handle",
    "other/deep/x.py handle",
  ]);
});

test("classes of the same base where none has the method", async () => {
  const files = {
    "src/shape.ts": "export abstract class Shape {}\n",
    "src/square.ts": shape("Square", "area"),
    "src/triangle.ts": shape("Triangle", "height").replace("return 1", "█"),
  };
  expect(await found(files, "src/triangle.ts")).toEqual(["src/square.ts Square"]);
});
