import { expect, test } from "vitest";
import { cutPromptText } from "./cut-prompt-text.ts";

const run = (text: string, { prefix = "x = 1\n", suffix = "", path = "src/a.ts" } = {}) =>
  cutPromptText(text, { request: { prefix, suffix, path }, stop: [], promptPaths: [path, "src/b.ts"] });

test.each([
  ["the header of a snippet", "a()\n// the below code fragment can be found in:\n// src/z.ts\n", "a()"],
  ["another file's path", "a()\n// src/b.ts\nb()", "a()"],
  ["its own", "a()\n\n// src/a.ts\nb()", "a()\n"],
  ["a path as Codestral has it", "a()\n+++++ src/b.ts\nb()", "a()"],
  ["a path as DeepSeek has it", "a()\n#src/b.ts\nb()", "a()"],
  ["a path in a block comment", "a()\n/* src/b.ts */\nb()", "a()"],
])("cuts before %s", (_, text, expected) => {
  expect(run(text)).toBe(expected);
});

test.each([
  ["a path that the prompt has not", "a()\n// src/c.ts\nb()"],
  ["a path in a list", "a\nsrc/b.ts\nc"],
  ["a path beside words", "// see src/b.ts\nb()"],
])("keeps %s", (_, text) => {
  expect(run(text)).toBe(text);
});

test("a text that begins with a header is dropped, except in the rest of a line", () => {
  expect(run("// src/b.ts\nb()")).toEqual({ drop: "prompt-text" });
  expect(run("// src/b.ts", { prefix: "import b from " })).toBe("// src/b.ts");
});

test("a file may be headed by its own path, and name others as it did before", () => {
  expect(run("// src/a.ts\nb()", { prefix: "" })).toBe("// src/a.ts\nb()");
  expect(run("a()\n// src/b.ts\nb()", { prefix: "// src/b.ts\nc()\n" })).toBe("a()\n// src/b.ts\nb()");
});
