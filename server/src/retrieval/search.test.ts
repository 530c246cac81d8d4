import type { SearchRequest } from "@dhi/core/protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import type { Candidate } from "./chunk-rows.ts";
import { search } from "./search.ts";

const uses = Array.from({ length: 6 }, (_, i) => ({
  path: `tests/use${i}.ts`,
  text: `test${i}(() => jsonify(jsonify(jsonify)));`,
}));
const definition = {
  path: "src/json.ts",
  text: `export function jsonify(value: Value, indent: number): Response {
  const body = dumps(value, indent);
  return new Response(body, headersOf(body));
}`,
  symbols: ["jsonify"],
};

/** @returns the paths found; the vector leg finds only uses */
async function found(query: string, mode: SearchRequest["mode"]): Promise<string[]> {
  using home = tempDir();
  const db = seedIndex(home.dir, [...uses, definition]);
  const near = uses.map(({ path, text }): Candidate => {
    return {
      ...{ path, text, startLine: 1, endLine: 1, language: "typescript", kind: "function" },
      ...{ name: null, signature: null },
    };
  });
  const results = await search(
    { query, mode, n_results: 3 },
    {
      index: { get: () => db, close() {} },
      vectors: { search: async () => near, health: async () => ({ status: "ok", detail: "" }) },
    },
    new AbortController().signal,
  );
  db.close();
  return results.map(({ path }) => path);
}

test("who asks for one name gets its definition first, whatever else holds the name", async () => {
  expect((await found("jsonify", "hybrid"))[0]).toBe("src/json.ts");
  expect((await found(" jsonify\n", "hybrid"))[0]).toBe("src/json.ts");
});

test("a question of several words goes by all legs alike", async () => {
  expect((await found("test that jsonify works", "hybrid"))[0]).toMatch(/^tests\//);
});
