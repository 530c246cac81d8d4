import { fimRequest } from "@dhi/core/protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { UpstreamError } from "@dhi/core/upstream-error";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import type { Candidate } from "./chunk-rows.ts";
import { createRetrieve, type Retrieval } from "./retrieve.ts";

const home = tempDir();
let db: ReturnType<typeof seedIndex>;
beforeAll(() => {
  db = seedIndex(home.dir, [
    { path: "money.ts", text: "export function formatCents(amount) {}", symbols: ["formatCents"] },
    { path: "use.ts", text: "print(formatCents(total));" },
    { path: "words.ts", text: "// format the cents, format them all" },
    { path: "deleted.ts", text: "formatCents(gone);", gone: true },
  ]);
});
afterAll(() => {
  db.close();
  home[Symbol.dispose]();
});

let logged: string[];
let fakeVectors: (signal: AbortSignal) => Promise<Candidate[]>;
beforeEach(() => {
  logged = [];
  fakeVectors = async () => [];
});
const note = (_: object, message: string) => logged.push(message);
const log = { warn: note, info: note } as never;
const retrieve = (timeoutMs: number, index = { get: () => db as typeof db | undefined, close() {} }) =>
  createRetrieve({
    index,
    vectors: {
      search: (_db, _text, _n, signal) => fakeVectors(signal),
      health: async () => ({ status: "ok", detail: "" }),
    },
    timeoutMs,
    log,
  });
const request = fimRequest.parse({ path: "new.ts", prefix: "start();\nconst label = formatCents(" });
const chunk: Candidate = {
  path: "near.ts",
  startLine: 1,
  endLine: 1,
  language: "typescript",
  kind: "function",
  name: null,
  signature: null,
  text: "near();",
};
const live = () => new AbortController().signal;
const shown = ({ snippets }: Retrieval) => snippets.map((s) => `${s.path} ${[...s.legs].sort().join("+")}`);

test("fuses the legs, and never shows what is not in the work tree", async () => {
  expect(shown(await retrieve(1000)(request, "rag", live()))).toEqual([
    "money.ts definitions+lexical",
    "use.ts lexical",
  ]);
});

test.each([
  ["symbols", ["money.ts definitions"]],
  ["simple", []],
  ["raw", []],
] as const)("mode %s brings %j", async (mode, expected) => {
  expect(shown(await retrieve(1000)(request, mode, live()))).toEqual(expected);
});

test("asks only the legs that the request names", async () => {
  const { found } = await retrieve(1000)({ ...request, legs: ["lexical", "siblings"] }, "rag", live());
  expect([...found.keys()]).toEqual(["lexical"]);
});

test("goes on without a leg that is late, and says which", async () => {
  fakeVectors = () => new Promise(() => {});
  const retrieval = await retrieve(20)(request, "rag", live());
  expect(shown(retrieval)).toHaveLength(2);
  expect(retrieval.late).toEqual(["vector"]);
  expect(logged).toEqual([]);
});

test("goes on without a leg that fails, and says so once until it is back", async () => {
  const run = retrieve(1000);
  fakeVectors = async () => Promise.reject(new UpstreamError("chroma", "does not answer"));
  for (let i = 0; i < 3; i++) expect(shown(await run(request, "rag", live()))).toHaveLength(2);
  expect(logged).toEqual(["completions go on without this leg: chroma: does not answer"]);
  fakeVectors = async () => [];
  await run(request, "rag", live());
  expect(logged).toHaveLength(1);
  fakeVectors = async () => [chunk];
  await run(request, "rag", live());
  expect(logged.slice(1)).toEqual(["leg is back"]);
});

test("ends with the request's own abort", async () => {
  fakeVectors = () => new Promise(() => {});
  const controller = new AbortController();
  const pending = retrieve(10_000)(request, "rag", controller.signal);
  controller.abort();
  await expect(pending).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test("brings nothing while there is no index", async () => {
  expect(await retrieve(1000, { get: () => undefined, close() {} })(request, "rag", live())).toEqual({
    ...{ snippets: [], found: new Map(), late: [], legMs: new Map() },
  });
});
