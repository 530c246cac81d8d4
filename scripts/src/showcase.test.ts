import type { FimDone } from "@dhi/core/protocol";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import type { DhiClient } from "./dhi-client.ts";
import { describeShowcase } from "./print-showcase.ts";
import { findShowcase } from "./showcase.ts";

const files = {
  "src/tax.ts": "export function computeVat(net: number) {\n  return net;\n}\n",
  "src/log.ts": "export function writeLine(text: string) {}\n",
  "src/app.ts": "writeLine('a');\ncomputeVat(1);\nend();\n",
};
const taxSource = {
  path: "src/tax.ts",
  startLine: 1,
  endLine: 3,
  legs: ["definitions"],
  score: 1,
  tokens: 12,
};
const done = (more: Partial<FimDone>): FimDone => ({
  done: true,
  requestId: "r",
  completion: "",
  reason: "ok",
  engine: "instant",
  model: "n-gram",
  mode: "rag",
  format: "none",
  ...{ step: "full", debounceMs: null },
  reuse: "none",
  finish: "stop",
  meanLogprob: null,
  confidence: 0.9,
  sources: [],
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
  timings: { queue: 0, retrieval: 8, prompt: 1, firstToken: 2, engine: 3, postprocess: 0, total: 12.4 },
  ...more,
});
const fakeClient = (answer: (prefix: string) => FimDone): DhiClient => ({
  health: () => Promise.reject(new Error("not asked")),
  status: () => Promise.reject(new Error("not asked")),
  complete: async (request) => answer(request.prefix),
});
const only = (path: string) => [{ name: undefined, path }];
const never = new AbortController().signal;

test("prefers a completion that draws on the defining file, and shows it with sources and timings", async () => {
  using repo = tempRepo(files);
  const client = fakeClient((prefix) =>
    prefix.endsWith("compute")
      ? done({ completion: "Vat(1);", sources: [taxSource] })
      : done({ completion: "Line('a');" }),
  );
  const result = await findShowcase(only(repo.dir), client, never);
  expect(result.tries).toBe(2);
  expect(describeShowcase(result, false)).toMatchInlineSnapshot(`
    "A completion in this workspace:

    src/app.ts:2, completed with computeVat, which src/tax.ts:1 defines:

         1 │ writeLine('a');
         2 │ compute«Vat(1);»

      sources  src/tax.ts:1-3 (definitions)
      engine   instant (n-gram)
      timings  12 ms in all: retrieval 8.0 ms, prompt 1.0 ms, engine 3.0 ms, post-processing 0.0 ms"
  `);
});

test("says why there is none", async () => {
  using repo = tempRepo(files);
  const result = await findShowcase(
    only(repo.dir),
    fakeClient(() => done({ reason: "low-confidence" })),
    never,
  );
  expect(describeShowcase(result, false)).toBe(
    "No confident completion in 2 tries (2 × low-confidence). That is normal for ENGINE=instant in a small repository: it stays silent where it is not sure.",
  );
});

test("does not claim a name that the completion does not have", async () => {
  using repo = tempRepo(files);
  const result = await findShowcase(
    only(repo.dir),
    fakeClient(() => done({ completion: "Other()" })),
    never,
  );
  expect(describeShowcase(result, false)).toContain("this engine continues otherwise");
});

test("tries nothing in a workspace without such calls", async () => {
  using repo = tempRepo({ "README.md": "hello" });
  const result = await findShowcase(
    only(repo.dir),
    fakeClient(() => done({})),
    never,
  );
  expect(describeShowcase(result, false)).toMatch(/^No completion tried/);
});

test("of several workspaces the first that has a completion is shown by name, and asked by name", async () => {
  using empty = tempRepo();
  using repo = tempRepo(files);
  const asked = new Set<string | undefined>();
  const client: DhiClient = {
    ...fakeClient(() => done({})),
    async complete({ workspace }) {
      asked.add(workspace);
      return done({ completion: "Vat(1);", sources: [taxSource] });
    },
  };
  const workspaces = [
    { name: "docs", path: empty.dir },
    { name: "shop", path: repo.dir },
  ];
  const result = await findShowcase(workspaces, client, never);
  expect(describeShowcase(result, false)).toMatch(/^A completion in shop:\n\nsrc\/app.ts:2/);
  expect([...asked]).toEqual(["shop"]);
});
