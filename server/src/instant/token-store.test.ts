import { expect, test } from "vitest";
import { TokenStore } from "./token-store.ts";

function storeOf(...files: number[][]): TokenStore {
  const store = new TokenStore({ headBits: 6, capacity: 4 });
  for (const file of files) {
    for (const id of file) store.push(id, false);
    store.endFile();
  }
  return store;
}
function matchesIn(store: TokenStore, context: number[]): [next: number, matched: number][] {
  const found: [number, number][] = [];
  store.matches(context, (place, matched) => {
    found.push([store.id(place), matched]);
    return true;
  });
  return found;
}

test("finds what followed the context, the longest match first and the newest of one order first", () => {
  const store = storeOf([1, 2, 3, 4, 5, 6, 7, 80], [9, 5, 6, 7, 81], [9, 9, 9, 7, 82], [8, 8, 7, 83]);
  expect(matchesIn(store, [1, 2, 3, 4, 5, 6, 7])).toEqual([
    [80, 7],
    [81, 3],
    [83, 1],
    [82, 1],
  ]);
});

test("never looks back over the start of a file", () => {
  const store = storeOf([5, 6], [7, 80]);
  expect(matchesIn(store, [5, 6, 7])).toEqual([[80, 1]]);
  expect(matchesIn(store, [5, 6])).toEqual([[0, 2]]);
});

test("lengthens a match to 32 tokens and no further", () => {
  const long = Array.from({ length: 40 }, (_, i) => i + 10);
  expect(matchesIn(storeOf([...long, 80]), long)).toEqual([[80, 32]]);
});

test("keeps the space before a token", () => {
  const store = new TokenStore({ headBits: 6 });
  store.push(5, true);
  store.push(6, false);
  expect([store.id(0), store.spaced(0), store.id(1), store.spaced(1)]).toEqual([5, true, 6, false]);
});

test("finds places of the same shape, the newest first, whatever the names in it", () => {
  // Names are those from 100.
  const store = new TokenStore({ headBits: 10, isName: (id) => id >= 100 });
  for (const file of [
    [100, 5, 101, 6, 101, 7, 80],
    [110, 5, 111, 6, 111, 7, 81],
    [120, 5, 121, 9, 121, 7, 82],
  ]) {
    for (const id of file) store.push(id, false);
    store.endFile();
  }
  const found: number[] = [];
  store.shapedLike([200, 5, 201, 6, 201, 7], (place) => found.push(store.id(place)) > 0);
  expect(found).toEqual([81, 80]);
});

/** `99` ends a line here. */
function storeOfLines(...tokens: number[]): TokenStore {
  const store = new TokenStore({ headBits: 6, isLineBreak: (id) => id === 99 });
  for (const id of tokens) store.push(id, false);
  return store;
}

function inLinesLike(store: TokenStore, context: number[]): number[] {
  const found: number[] = [];
  store.inLineLike(context, (place) => {
    found.push(store.id(place));
    return true;
  });
  return found;
}

test("finds what stands behind the same token in lines that begin alike, whatever is between", () => {
  const store = storeOfLines(9, 99, 1, 2, 3, 4, 80, 99, 1, 2, 5, 4, 81, 99, 7, 2, 3, 4, 82, 99);
  expect(inLinesLike(store, [9, 99, 9, 99, 1, 2, 6, 4])).toEqual([81, 80]);
});

test("finds what begins a line behind one that begins alike", () => {
  const store = storeOfLines(9, 99, 1, 2, 3, 99, 80, 99, 5, 99, 1, 2, 4, 5, 99, 81, 99);
  expect(inLinesLike(store, [9, 99, 1, 2, 6, 99])).toEqual([81, 80]);
});

test("finds nothing like a line whose beginning is not in the context", () => {
  expect(inLinesLike(storeOfLines(9, 99, 1, 2, 3, 4, 80, 99), [1, 2, 3, 4])).toEqual([]);
});
