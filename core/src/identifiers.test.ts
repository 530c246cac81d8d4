import { expect, test } from "vitest";
import { identifiersOf, subWordsOf, termsOf } from "./identifiers.ts";

test.each([
  ["parseHTTPResponse_v2", ["parse", "http", "response", "v", "2"]],
  ["snake_case_name", ["snake", "case", "name"]],
  ["SCREAMING_CASE", ["screaming", "case"]],
  ["__init__", ["init"]],
  ["größeÄndern", ["größe", "ändern"]],
  ["$el", ["el"]],
])("%s splits into %j", (identifier, words) => {
  expect(subWordsOf(identifier)).toEqual(words);
});

test("terms hold each identifier whole and in sub-words, repeats kept", () => {
  expect(termsOf("getUser(id, id)")).toEqual(["getuser", "get", "user", "id", "id"]);
});

test("identifiers leave numbers out", () => {
  expect(identifiersOf("a1 = 42 + b_2;")).toEqual(["a1", "b_2"]);
});

test("text without words has no terms", () => {
  expect(termsOf("{}();")).toEqual([]);
});
