import { expect, test } from "vitest";
import { fakeLanguageModel } from "../testing/fake-language-model.ts";
import type { LikelihoodCase } from "./likelihood-contexts.ts";
import { type CursorNats, measureLikelihood } from "./likelihood-measure.ts";
import type { NatsStore } from "./likelihood-store.ts";

function memoryStore(): NatsStore {
  const known = new Map<string, readonly number[]>();
  return { get: (key) => known.get(key), put: (key, nats) => known.set(key, nats) };
}

/** @param contexts by method */
function caseAt(id: string, contexts: Readonly<Record<string, string>>): LikelihoodCase {
  const text = { open: `${id} `, continuation: "total(x)" };
  return {
    cursor: { id, package: "shop", language: "go", kind: "mid-line" },
    names: new Set(["total"]),
    texts: Object.fromEntries(
      Object.entries(contexts).map(([method, context]) => [method, { ...text, context }]),
    ),
  };
}

async function all(results: AsyncIterable<CursorNats>): Promise<CursorNats[]> {
  const found: CursorNats[] = [];
  for await (const result of results) found.push(result);
  return found;
}

test("means over all tokens and over those of needed names, by method", async () => {
  const scorer = { model: fakeLanguageModel(), store: memoryStore() };
  const [result] = await all(
    measureLikelihood([caseAt("a", { none: "", some: "total (\n" })], scorer, () => true),
  );
  // total ( x ): all new, or the first two known
  expect(result?.all).toEqual({ none: 3, some: 2 });
  expect(result?.names).toEqual({ none: 3, some: 1 });
  expect(result?.cursor).toEqual({ id: "a", package: "shop", language: "go", kind: "mid-line" });
});

test("a continuation without needed names has no mean of them", async () => {
  const scorer = { model: fakeLanguageModel(), store: memoryStore() };
  const one = { ...caseAt("a", { none: "" }), names: new Set<string>() };
  const [result] = await all(measureLikelihood([one], scorer, () => true));
  expect(result?.names).toEqual({ none: Number.NaN });
});

test("methods that chose the same are asked about once, and known as such", async () => {
  const model = fakeLanguageModel();
  const one = caseAt("a", { full: "x\n", "without one": "x\n", "without two": "y\n" });
  const [result] = await all(measureLikelihood([one], { model, store: memoryStore() }, () => true));
  expect(model.asked).toEqual(["x\na total(x)", "y\na total(x)"]);
  expect(result?.prompts.full).toBe(result?.prompts["without one"]);
  expect(result?.prompts.full).not.toBe(result?.prompts["without two"]);
});

test("contexts that begin alike are read one after the other", async () => {
  const model = fakeLanguageModel();
  const one = caseAt("a", { p: "k 1\n", q: "m 1\n", r: "k 2\n", s: "m 2\n" });
  await all(measureLikelihood([one], { model, store: memoryStore() }, () => true));
  expect(model.asked.map((text) => text.slice(0, 3))).toEqual(["k 1", "k 2", "m 1", "m 2"]);
});

test("when the time is over, what is known goes on to count and the first unknown cursor ends it", async () => {
  const cases = ["a", "b", "c", "d"].map((id) => caseAt(id, { none: "", some: `${id}\n` }));
  const scorer = { model: fakeLanguageModel(), store: memoryStore() };
  let asked = 0;
  const first = await all(measureLikelihood(cases, scorer, () => asked++ < 2));
  expect(first.map(({ cursor }) => cursor.id)).toEqual(["a", "b"]);
  const known = await all(measureLikelihood(cases, scorer, () => false));
  expect(known).toEqual(first);
  await all(measureLikelihood(cases.slice(3), scorer, () => true));
  const again = await all(measureLikelihood(cases, scorer, () => false));
  expect(again.map(({ cursor }) => cursor.id)).toEqual(["a", "b"]);
});

test("a cursor of which one method is unknown is not half measured", async () => {
  const scorer = { model: fakeLanguageModel(), store: memoryStore() };
  await all(measureLikelihood([caseAt("a", { none: "" })], scorer, () => true));
  const more = [caseAt("a", { none: "", some: "x\n" })];
  expect(await all(measureLikelihood(more, scorer, () => false))).toEqual([]);
});
