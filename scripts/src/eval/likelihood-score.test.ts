import { expect, test } from "vitest";
import { fakeLanguageModel } from "../testing/fake-language-model.ts";
import { keyOf, natsOf, questionOf } from "./likelihood-score.ts";
import type { NatsStore } from "./likelihood-store.ts";

function memoryStore(): NatsStore {
  const known = new Map<string, readonly number[]>();
  return { get: (key) => known.get(key), put: (key, nats) => known.set(key, nats) };
}

test("the tokens of the continuation are scored, given snippets and open file", async () => {
  const model = fakeLanguageModel();
  const question = questionOf(model, { open: "a b ", continuation: "total(a)" }, new Set());
  const nats = await natsOf({ model, store: memoryStore() }, "total\n", question);
  expect(model.asked).toEqual(["total\na b total(a)"]);
  // total ( a )
  expect(nats).toEqual([1, 3, 1, 3]);
});

test("the model is asked once for the same prompt", async () => {
  const model = fakeLanguageModel();
  const store = memoryStore();
  const question = questionOf(model, { open: "a ", continuation: "b" }, new Set());
  const first = await natsOf({ model, store }, "c\n", question);
  expect(await natsOf({ model, store }, "c\n", question)).toEqual(first);
  await natsOf({ model, store }, "d\n", question);
  expect(model.asked).toEqual(["c\na b", "d\na b"]);
});

test("the key is another one for another model, context, open file or continuation", () => {
  const model = fakeLanguageModel();
  const ask = (open: string, continuation: string) => questionOf(model, { open, continuation }, new Set());
  const keys = [
    keyOf(model, "", ask("a ", "b")),
    keyOf({ ...model, id: "other" }, "", ask("a ", "b")),
    keyOf(model, "c", ask("a ", "b")),
    keyOf(model, "", ask("c ", "b")),
    keyOf(model, "", ask("a ", "c")),
    keyOf(model, "", ask("a", " b")),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf(model, "", ask("a ", "b"))).toBe(keys[0]);
});

test("a token across the cursor is scored as a whole", async () => {
  const model = fakeLanguageModel();
  const question = questionOf(model, { open: "x = get", continuation: "User()" }, new Set());
  expect(model.detokenize(question.tokens.slice(question.from))).toBe("getUser()");
});

test("tokens of the names are marked, of one that begins before the cursor too", () => {
  const model = fakeLanguageModel();
  const names = new Set(["getUser", "id"]);
  const { tokens, from, onName } = questionOf(
    model,
    { open: "id = get", continuation: "User(id, identity)" },
    names,
  );
  const marked = tokens.slice(from).map((token, i) => [model.detokenize([token]), onName[i]]);
  expect(marked).toEqual([
    ["getUser", true],
    ["(", false],
    ["id", true],
    [",", false],
    [" ", false],
    ["identity", false],
    [")", false],
  ]);
});

test("of a long continuation the first 48 tokens are scored", () => {
  const model = fakeLanguageModel();
  const { tokens, from, onName } = questionOf(
    model,
    { open: "a ", continuation: "b ".repeat(100) },
    new Set(),
  );
  expect(tokens.length - from).toBe(48);
  expect(onName).toHaveLength(48);
});

test("the first token of all is given, whatever it holds", () => {
  const { from } = questionOf(fakeLanguageModel(), { open: "", continuation: "a b" }, new Set());
  expect(from).toBe(1);
});
