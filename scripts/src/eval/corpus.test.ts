import { rmSync } from "node:fs";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test, vi } from "vitest";
import { corpusOf, familyOf } from "./corpus.ts";

const code = (name: string) =>
  Array.from({ length: 9 }, (_, i) => `export const ${name}${i} = ${i};`).join("\n");

test("a corpus holds the code that is asked for, without copies, data and builds, and outlives its source", () => {
  using cache = tempDir();
  using source = tempRepo({
    "src/a.ts": code("alpha"),
    "src/b.py": "x = 1\n",
    "src/copy.ts": `${code("alpha")}\n// built`,
    "src/crlf.ts": "const line = 1;\r\n",
    "src/data.json": "{}",
    "src/large.ts": `const large = "${"x".repeat(200_001)}";`,
    "dist/a.js": code("built"),
    "tests/fixtures/f.ts": code("fixture"),
    "docs/d.ts": code("documented"),
  });
  vi.stubEnv("DHI_TOOLS_CACHE", cache.dir);
  try {
    const open = () =>
      corpusOf({ name: "shop", dir: source.dir }, { name: "shop", only: /^(src|dist|tests)\// });
    const corpus = open();
    expect([...corpus.files.keys()]).toEqual(["src/a.ts", "src/b.py"]);
    expect(corpus.files.get("src/a.ts")).toMatchObject({ language: "typescript", family: "ecmascript" });
    rmSync(source.dir, { recursive: true });
    expect(open()).toEqual(corpus);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ["typescriptreact", "ecmascript"],
  ["svelte", "ecmascript"],
  ["java", "java"],
  ["json", "other"],
])("%s goes with %s", (language, family) => {
  expect(familyOf(language)).toBe(family);
});
