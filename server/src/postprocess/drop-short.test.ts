import { expect, test } from "vitest";
import { dropShort } from "./drop-short.ts";

const request = { prefix: "", suffix: "" };

test.each([")", "}", ";", " , ", '"', "\n  }"])("%j is dropped", (text) => {
  expect(dropShort(text, { request, stop: [] })).toEqual({ drop: "too-short" });
});

test.each(["a", "1", "});", "{", "+"])("%j is kept", (text) => {
  expect(dropShort(text, { request, stop: [] })).toBe(text);
});

test("whoever asks for it gets it", () => {
  expect(dropShort(")", { request: { ...request, trigger: "manual" }, stop: [] })).toBe(")");
});
