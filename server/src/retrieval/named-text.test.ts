import { COMMON_WORDS, identifiersOf } from "@dhi/core/identifiers";
import { expect, test } from "vitest";
import { lineCount, namedText, nameKey, textOfLines, toNamedText } from "./named-text.ts";

const namesIn = (text: string) => [...toNamedText(text).keys];
const keysOf = (...names: string[]) => names.map(nameKey);

test("names are the same in any case, without keywords and single letters", () => {
  expect(namesIn("const Invoice = await load(cart, i); // the Cart")).toEqual(
    keysOf("invoice", "load", "cart", "cart"),
  );
});

test.each([
  "const $el = _private.x1 + 0x1F + 3px; #tag a.b.cc",
  "größe = Straße2 + ПРИВЕТ.мир; // naïve",
  "ascii line\nzwei Wörter\r\nlast_line",
])("are those that identifiersOf finds, with the places where they stand: %s", (text) => {
  const { keys, starts, lines } = toNamedText(text);
  const names = identifiersOf(text).filter((n) => n.length > 1 && !COMMON_WORDS.has(n.toLowerCase()));
  expect([...keys]).toEqual(keysOf(...names));
  names.forEach((name, i) => {
    expect(text.startsWith(name, starts[i])).toBe(true);
    expect(lines[i]).toBe(text.slice(0, starts[i]).split("\n").length - 1);
  });
});

test("a line of data is read at its start only", () => {
  expect(namesIn(`first ${"1,".repeat(1_000)} last`)).toEqual(keysOf("first"));
});

test("lines are cut out as they stand there", () => {
  const text = toNamedText("one\r\ntwo\n\nvier·€\n");
  expect(lineCount(text)).toBe(5);
  expect(textOfLines(text, 0, 2)).toBe("one\r\ntwo");
  expect(textOfLines(text, 1, 9)).toBe("two\n\nvier·€\n");
  expect(textOfLines(text, 2, 3)).toBe("");
  expect(textOfLines(text, 7, 9)).toBe("");
});

test("a text is read once", () => {
  let reads = 0;
  const read = () => `cart();\n${reads++}`;
  const [first, second] = [namedText("named-text.test", read), namedText("named-text.test", read)];
  expect([first.text, second === first]).toEqual(["cart();\n0", true]);
});

test("eight million characters later a text is read again", () => {
  let reads = 0;
  const read = () => String(reads++);
  namedText("old", read);
  namedText("long", () => " ".repeat(8_000_000));
  expect(namedText("old", read).text).toBe("1");
});
