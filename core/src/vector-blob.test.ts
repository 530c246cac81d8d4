import { expect, test } from "vitest";
import { createHashEmbedder } from "./hash-embedder.ts";
import { fromBlob, toBlob, vectorLength } from "./vector-blob.ts";

const shifted = (blob: Buffer) => Buffer.concat([Buffer.from([7]), blob]).subarray(1);
const sparse = Object.assign(new Array<number>(768).fill(0), { 0: -1, 300: 0.5, 767: 2 });

test("is float32 in little endian, whatever the machine", () => {
  expect(toBlob([1, -2]).toString("hex")).toBe("0000803f000000c0");
});

test("is numbers, places and the length where most are zeros", () => {
  expect(toBlob([0, 0, 0, 0, 0, 1]).toString("hex")).toBe(`0000803f${"0500"}${"0600"}00`);
});

test.each([
  ["every number", [0.5, -0.25, 3]],
  ["a zero among others", [0.5, 0, 3]],
  ["few numbers among zeros", sparse],
  ["zeros alone", new Array<number>(768).fill(0)],
  ["more places than two bytes can count", Object.assign(new Array<number>(70_000).fill(0), { 69999: 1 })],
  ["nothing", []],
])("gives back what was put in, also from the middle of a larger buffer: %s", (_, vector) => {
  const blob = toBlob(vector);
  expect(fromBlob(blob)).toEqual(vector);
  expect(fromBlob(shifted(blob))).toEqual(vector);
  expect(vectorLength(shifted(blob))).toBe(vector.length);
});

test("takes a fifth of the room for what the hash embedder makes of a function", async () => {
  const text = "export function total(lines: readonly Line[]): number { return lines.reduce(sumOf, 0); }";
  const [vector = []] = await createHashEmbedder().embedDocuments([text], new AbortController().signal);
  expect(vectorLength(toBlob(vector))).toBe(768);
  expect(toBlob(vector).byteLength).toBeLessThan((768 * 4) / 5);
});
