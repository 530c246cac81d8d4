import { expect, test } from "vitest";
import { dropBlank } from "./drop-blank.ts";

const context = { request: { prefix: "", suffix: "" }, stop: [] };

test.each(["", " ", "\n\t\r\n"])("%j is dropped", (text) => {
  expect(dropBlank(text, context)).toEqual({ drop: "blank" });
});

test("text stays as it is, blanks around it included", () => {
  expect(dropBlank(" a ", context)).toBe(" a ");
});
