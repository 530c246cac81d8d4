import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding);
const utf16be = (text: string) => bytes(text, "utf16le").swap16();

test.each<[string, Uint8Array, string | undefined]>([
  ["reads UTF-8", bytes("größe = 1"), "größe = 1"],
  ["drops the byte order mark of UTF-8", bytes("\ufeffa = 1"), "a = 1"],
  ["reads UTF-16, little endian", bytes("\ufeffa = ä", "utf16le"), "a = ä"],
  ["reads UTF-16, big endian", utf16be("\ufeffa = ä"), "a = ä"],
  ["reads Latin-1", bytes("# Größe der Straße\nx = 1\n", "latin1"), "# Größe der Straße\nx = 1\n"],
  [
    "reads Windows-1252",
    new Uint8Array([...bytes("# costs "), 0x80, ...bytes("5 "), 0x93, ...bytes("net"), 0x94, 0x0a]),
    "# costs €5 “net”\n",
  ],
  ["takes what Windows-1252 does not know for a binary", new Uint8Array([0x41, 0x81, 0x42, 0x43]), undefined],
  ["reads an empty file", bytes(""), ""],
  ["takes a NUL for a binary, wherever it is", bytes(`${"x".repeat(10_000)}\0`), undefined],
  ["takes UTF-16 with a NUL character for a binary", bytes("\ufeffa\0b", "utf16le"), undefined],
  ["takes half a surrogate pair for a binary", new Uint8Array([0xff, 0xfe, 0x00, 0xd8]), undefined],
  ["takes control bytes for a binary", new Uint8Array([0x41, 0x01, 0xe4, 0x42]), undefined],
  ["takes mostly high bytes for a binary", new Uint8Array([0x41, 0xc8, 0xe4, 0xff, 0xd0]), undefined],
])("%s", (_, input, expected) => {
  expect(decodeText(input)).toBe(expected);
});
