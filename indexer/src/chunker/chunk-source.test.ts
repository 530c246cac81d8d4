import { expect, test } from "vitest";
import { analyze, renderChunks, statements } from "./testing/render.ts";

test("a definition that fits stays whole, with its doc comment and decorators, and the import before it apart", () => {
  const source = `import { a } from "a";
import { b } from "b";

/** Doc. */
@Entity()
export class Small {
${statements(400, "  static one = () => ")}
}

/** Adds. */
// eslint-disable-next-line
export async function add(): Promise<void> {
${statements(400)}
}
`;
  expect(renderChunks("a.ts", source)).toMatchInlineSnapshot(`
    "1-3 imports -
    4-28 class Small: class Small
    29-52 function add: async function add(): Promise<void>"
  `);
});

test("a class above the budget becomes a header with its small fields, then one chunk per member", () => {
  const source = `/** Doc. */
export class Big extends Base {
  private readonly store = new Store();
  count = 0;

  constructor() {
${statements(400, "    ")}
  }

  /** Runs. */
  @Log()
  async run(): Promise<void> {
${statements(1700, "    ")}
  }

  get one() { return 1; }
  get two() { return 2; }
}

function after() {
${statements(400)}
}
`;
  expect(renderChunks("a.ts", source)).toMatchInlineSnapshot(`
    "1-5 class Big: class Big extends Base
    6-28 method Big › constructor: constructor()
    29-118 method Big › run: async run(): Promise<void>
    119-122 block Big › -
    123-144 function after: function after()"
  `);
});

const long = (indent: string, semicolon = ";") => statements(1_200, indent, semicolon);

test.each([
  [
    "a.py",
    `class Big(Base):
    """Docstring."""
    count: int = 0

    @cached
    def run(self):
${long("        ", "")}

    async def stop(self):
${long("        ", "")}
`,
    [
      "1-4 class Big: class Big(Base)",
      "5-67 method Big › run: def run(self)",
      "68-128 method Big › stop: async def stop(self)",
    ],
  ],
  [
    "a.rs",
    `impl<T> Show for Big<T> {
    /// Runs.
    #[inline]
    pub fn run(&self) {
${long("        ")}
    }

    fn stop(&self) {
${long("        ")}
    }
}
`,
    [
      "1-1 class Big: impl<T> Show for Big<T>",
      "2-66 method Big › run: pub fn run(&self)",
      "67-129 method Big › stop: fn stop(&self)",
    ],
  ],
  [
    "A.java",
    `@Entity
public class Big<T> extends Base {
  private int count = 0;

  /** Runs. */
  @Override
  public void run() {
${long("    ")}
  }

  void stop() {
${long("    ")}
  }
}
`,
    [
      "1-4 class Big: public class Big<T> extends Base",
      "5-69 method Big › run: public void run()",
      "70-132 method Big › stop: void stop()",
    ],
  ],
  [
    "a.go",
    `package big

// Run runs.
func (b *Big) Run() {
${long("\t", "")}
}

func Stop() {
${long("\t", "")}
}
`,
    ["1-2 imports -", "3-66 method Big › Run: func (b *Big) Run()", "67-128 function Stop: func Stop()"],
  ],
  [
    "Nested.java",
    `class Outer {
  class Inner {
    void run() {
${long("      ")}
    }

    void stop() {
${long("      ")}
    }
  }
}
`,
    [
      "1-1 class Outer: class Outer",
      "2-2 class Outer › Inner: class Inner",
      "3-65 method Outer.Inner › run: void run()",
      "66-129 method Outer.Inner › stop: void stop()",
    ],
  ],
])("members keep their container in %s", (path, source, expected) => {
  expect(renderChunks(path, source).split("\n")).toEqual(expected);
});

test("a function above the budget is cut between statements, never inside one that fits, and each part keeps its name", () => {
  const block = (i: number) => `  if (condition${i}) {\n${statements(600, "    ")}\n  }\n`;
  const { chunks } = analyze(
    "a.ts",
    `export function long(a: number): void {\n${[1, 2, 3, 4, 5].map(block).join("")}}\n`,
  );
  expect(chunks.map((c) => [c.kind, c.name, c.signature, c.text.split("\n")[0]])).toEqual([
    ["function", "long", "function long(a: number): void", "export function long(a: number): void {"],
    ["function", "long", "function long(a: number): void", "  if (condition4) {"],
  ]);
});

test("a comment goes with the statement below it when a function is cut", () => {
  const body = Array.from({ length: 80 }, (_, i) => `  // Step ${i} says why.\n${statements(40)}`).join("\n");
  const { chunks } = analyze("a.ts", `function long() {\n${body}\n}\n`);
  expect(chunks.length).toBeGreaterThan(1);
  for (const chunk of chunks) expect(chunk.text).not.toMatch(/says why\.\n$/);
});

test("a long doc comment stays with the first lines of what it describes when that is cut", () => {
  const doc = Array.from({ length: 60 }, (_, i) => ` * Line ${i} of what it is for.`).join("\n");
  const { chunks } = analyze("a.ts", `/**\n${doc}\n */\nexport function long() {\n${statements(3_000)}\n}\n`);
  expect(chunks.map((c) => c.name)).toEqual(["long", "long", "long"]);
  expect(chunks[0]?.text).toContain("export function long() {");
});

test("small neighbours share a chunk, imports only with imports", () => {
  const source = `// Licence.
"use strict";
const fs = require("fs");
const { join } = require("path");

const LIMIT = 1;
const other = () => 2;

// --- a section ---

type Id = string;
`;
  expect(renderChunks("a.js", source)).toMatchInlineSnapshot(`
    "1-5 imports -
    6-11 block -"
  `);
});

test("overloads and accessors of one name share a chunk that has the name", () => {
  const source = `export function parse(text: string): string;
export function parse(text: number): number;
export function parse(text: unknown): unknown {
${statements(900)}
}
`;
  expect(renderChunks("a.ts", source)).toMatchInlineSnapshot(
    `"1-49 function parse: function parse(text: string): string"`,
  );
});

test("a long list of constants is parted between them", () => {
  const specs = Array.from({ length: 300 }, (_, i) => `\t// Code${i} is one.\n\tCode${i} = ${i}`).join("\n");
  const { chunks } = analyze("a.go", `package codes\n\nconst (\n${specs}\n)\n`);
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks.slice(2)) expect(chunk.text).toMatch(/^\t\/\/ Code\d+ is one\.\n/);
});

test("definitions on one line share a chunk", () => {
  expect(renderChunks("a.ts", "const a = 1; const b = 2;\n")).toMatchInlineSnapshot(`"1-1 variable -"`);
});

test("an anonymous default export is a function without a name", () => {
  expect(renderChunks("a.ts", "export default function () {}\n")).toMatchInlineSnapshot(
    `"1-1 function -: function ()"`,
  );
});

test("code around a syntax error is still found", () => {
  const source = `function before() { return 1; }\n\nconst = = {{{ ;\n\nexport function after(a: string) {\n${statements(400)}\n}\n`;
  expect(analyze("a.ts", source).symbols.map((s) => s.name)).toContain("before");
  expect(analyze("a.ts", source).symbols.map((s) => s.name)).toContain("after");
});
