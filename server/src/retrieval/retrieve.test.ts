import { fimRequest, type LegName, legName } from "@dhi/core/protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { UpstreamError } from "@dhi/core/upstream-error";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deferred } from "../testing/deferred.ts";
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
const retrieve = (
  timeoutMs: number,
  index = { get: () => db as typeof db | undefined, close() {} },
  legs: readonly LegName[] = legName.options,
  firstLookMs = timeoutMs,
) =>
  createRetrieve({
    index,
    vectors: {
      search: (_db, _text, _n, signal) => fakeVectors(signal),
      health: async () => ({ status: "ok", detail: "" }),
    },
    timeoutMs,
    firstLookMs,
    legs,
    log,
  });
const request = fimRequest.parse({
  path: "new.ts",
  prefix: "start();\nconst label = formatCents(",
  legs: ["vector", "definitions", "lexical"],
});
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
  const { found } = await retrieve(1000)({ ...request, legs: ["lexical"] }, "rag", live());
  expect([...found.keys()]).toEqual(["lexical"]);
});

test("a request that names no legs gets those of the settings, as far as the mode has them", async () => {
  const { legs: _, ...unnamed } = request;
  const run = retrieve(1000, undefined, ["lexical", "siblings"]);
  expect([...(await run(unnamed, "rag", live())).found.keys()]).toEqual(["siblings", "lexical"]);
  expect([...(await run(unnamed, "symbols", live())).found.keys()]).toEqual(["definitions"]);
});

test("goes on without a leg that is late, and says which", async () => {
  fakeVectors = () => new Promise(() => {});
  const retrieval = await retrieve(200)(request, "rag", live());
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

test("legs take turns of the event loop, and it is said how long each took", async () => {
  let turns = 0;
  let going = true;
  const count = () => {
    turns++;
    if (going) setImmediate(count);
  };
  setImmediate(count);
  const { legMs } = await retrieve(10_000)(request, "rag", live());
  going = false;
  expect(turns).toBeGreaterThanOrEqual(legMs.size - 1);
  expect([...legMs.values()].every((ms) => ms >= 0)).toBe(true);
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

describe("in a session", () => {
  const typed = (prefix: string, sessionId = "window-1") =>
    fimRequest.parse({ path: "new.ts", sessionId, prefix, legs: ["vector"] });
  const first = typed("function a() {\n  one();\n  tw");
  let answers: ReturnType<typeof deferred<Candidate[]>>[];
  let signals: AbortSignal[];
  beforeEach(() => {
    [answers, signals] = [[], []];
    fakeVectors = (signal) => {
      const answer = deferred<Candidate[]>();
      answers.push(answer);
      signals.push(signal);
      return answer.promise;
    };
  });

  test("a leg that is late goes on, and answers the next keystroke", async () => {
    const run = retrieve(20);
    expect(await run(first, "rag", live())).toMatchObject({ snippets: [], late: ["vector"] });
    expect(signals[0]?.aborted).toBe(false);
    answers[0]?.resolve([chunk]);
    const next = await run(typed(`${first.prefix}o`), "rag", live());
    expect({ shown: shown(next), late: next.late }).toEqual({ shown: ["near.ts vector"], late: [] });
    expect(answers).toHaveLength(1);
  });

  test("an answer serves every keystroke of its caret block", async () => {
    const run = retrieve(10_000);
    for (const end of ["", "o", "o(", "o()"]) {
      const pending = run(typed(first.prefix + end), "rag", live());
      await vi.waitUntil(() => answers.length === 1);
      answers[0]?.resolve([chunk]);
      expect(shown(await pending)).toEqual(["near.ts vector"]);
    }
    expect(answers).toHaveLength(1);
  });

  test("while the next block's answer is late, that of the same function stands in", async () => {
    const run = retrieve(700);
    const pending = run(first, "rag", live());
    await vi.waitUntil(() => answers.length === 1);
    answers[0]?.resolve([chunk]);
    expect((await pending).late).toEqual([]);
    const next = await run(typed("function a() {\n  one();\n  two();\n  th"), "rag", live());
    expect({ shown: shown(next), late: next.late }).toEqual({ shown: ["near.ts vector"], late: ["vector"] });
    const elsewhere = await run(typed("function b() {\n  th"), "rag", live());
    expect({ shown: shown(elsewhere), late: elsewhere.late }).toEqual({ shown: [], late: ["vector"] });
  });

  test("what was said of the lines above is enough: the next block's answer is not waited for", async () => {
    const run = retrieve(60_000);
    const pending = run(first, "rag", live());
    await vi.waitUntil(() => answers.length === 1);
    answers[0]?.resolve([chunk]);
    await pending;
    const next = await run(typed("function a() {\n  one();\n  two();\n  th"), "rag", live());
    expect({ shown: shown(next), late: next.late }).toEqual({ shown: ["near.ts vector"], late: ["vector"] });
  });

  test("at another place of the same scope a slow leg is waited for, as long as a first look may take", async () => {
    const lines = (name: string) => Array.from({ length: 20 }, (_, i) => `${name}${i}();\n`).join("");
    const run = retrieve(60_000);
    const before = run(typed(lines("one")), "rag", live());
    await vi.waitUntil(() => answers.length === 1);
    answers[0]?.resolve([]);
    await before;
    const elsewhere = run(typed(lines("one") + lines("two")), "rag", live());
    await vi.waitUntil(() => answers.length === 2);
    answers[1]?.resolve([chunk]);
    expect(shown(await elsewhere)).toEqual(["near.ts vector"]);
    const impatient = retrieve(60_000, undefined, undefined, 0);
    expect((await impatient(first, "rag", live())).late).toEqual(["vector"]);
  });

  test("the second function after it ends what is still at work for one; another session does not", async () => {
    const run = retrieve(20);
    const inFunction = (name: string, session?: string) => typed(`function ${name}() {\n  th`, session);
    const ended = () => signals.map(({ aborted }) => aborted);
    await run(first, "rag", live());
    await run(inFunction("b", "window-2"), "rag", live());
    await run(inFunction("c", "window-2"), "rag", live());
    await run(inFunction("b"), "rag", live());
    expect(ended()).toEqual([false, false, false, false]);
    await run(inFunction("c"), "rag", live());
    expect(ended()).toEqual([true, false, false, false, false]);
  });

  test("what is still at work on an index that was replaced ends, and the new one is asked", async () => {
    using dir = tempDir();
    const replacement = seedIndex(dir.dir, [{ path: "near.ts", text: "near();" }]);
    let now = db;
    const run = retrieve(10_000, { get: () => now, close() {} });
    const before = run(first, "rag", live());
    await vi.waitUntil(() => answers.length === 1);
    now = replacement;
    const pending = run(first, "rag", live());
    await vi.waitUntil(() => answers.length === 2);
    answers[1]?.resolve([chunk]);
    answers[0]?.resolve([{ ...chunk, path: "replaced.ts" }]);
    const next = await pending;
    await before;
    expect([shown(next), signals.map(({ aborted }) => aborted)]).toEqual([["near.ts vector"], [true, false]]);
    // The old one was the last to answer.
    const again = await run(first, "rag", live());
    replacement.close();
    expect(shown(again)).toEqual(["near.ts vector"]);
  });

  test("an earlier answer loses what is not in the tree any more, and follows what moved", async () => {
    using dir = tempDir();
    const own = seedIndex(dir.dir, [
      { path: "gone.ts", text: "gone();" },
      { path: "moved.ts", text: "moved();" },
    ]);
    const inFile = (path: string, text: string) => ({ ...chunk, path, text });
    const run = retrieve(100, { get: () => own, close() {} });
    const pending = run(first, "rag", live());
    await vi.waitUntil(() => answers.length === 1);
    answers[0]?.resolve([inFile("gone.ts", "gone();"), inFile("moved.ts", "moved();"), chunk]);
    await pending;

    own.exec(
      "DELETE FROM live WHERE path = 'gone.ts'; UPDATE live SET bytes = bytes + 2 WHERE path = 'moved.ts'",
    );
    own.exec("UPDATE texts SET text = char(10) || char(10) || text WHERE text = 'moved();'");
    const { found } = await run(typed("function a() {\n  one();\n  two();\n  th"), "rag", live());
    own.close();
    expect(found.get("vector")?.map((f) => [f.path, f.startLine, f.endLine])).toEqual([
      ["moved.ts", 3, 3],
      ["near.ts", 1, 1],
    ]);
  });

  test("without one nothing is remembered", async () => {
    const run = retrieve(20);
    const { sessionId: _, ...stateless } = first;
    await run(stateless, "rag", live());
    answers[0]?.resolve([chunk]);
    expect(signals[0]?.aborted).toBe(true);
    expect(await run(stateless, "rag", live())).toMatchObject({ snippets: [], late: ["vector"] });
    expect(answers).toHaveLength(2);
  });
});
