import { expect, test } from "vitest";
import { fromBlob, toBlob } from "./vector-blob.ts";

test("is float32 in little endian, whatever the machine", () => {
  expect(toBlob([1, -2]).toString("hex")).toBe("0000803f000000c0");
});

test("gives back what was put in, also from the middle of a larger buffer", () => {
  const blob = toBlob([0.5, -0.25, 3]);
  const shifted = Buffer.concat([Buffer.from([7]), blob]).subarray(1);
  expect(fromBlob(shifted)).toEqual([0.5, -0.25, 3]);
});
